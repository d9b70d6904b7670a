import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventRecord, FieldProblem, NodeRecord, PodRecord, Resources } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import { derive } from "../pipeline.ts";
import { normalizeEvent } from "../sources/kubernetes/normalize-event.ts";
import { normalizeNode } from "../sources/kubernetes/normalize-node.ts";
import { normalizePod } from "../sources/kubernetes/normalize-pod.ts";
import { parseGenericReservations } from "../sources/reservations/generic/parse.ts";
import type { KubernetesObject, ObjectRef } from "../testing/api-server/kubernetes-object.ts";
import { aSnapshot } from "../testing/builders.ts";
import { demoScenarios } from "./demo.ts";
import { Player } from "./player.ts";
import { loadScenario } from "./scenario.ts";

/** What the cluster holds after one step, at the moment that the files call now. */
interface State {
  readonly step: string;
  readonly names: readonly string[];
  readonly nodes: readonly NodeRecord[];
  readonly pods: readonly PodRecord[];
  readonly events: readonly EventRecord[];
}

async function statesOf(name: string) {
  const scenario = await loadScenario(join(import.meta.dirname, "scenarios", name), name);
  const objects = new Map<string, KubernetesObject>();
  const keyOf = (ref: ObjectRef) => `${ref.kind}/${ref.namespace ?? ""}/${ref.name}`;
  const target = {
    apply: (added: readonly KubernetesObject[]) => {
      for (const object of added) objects.set(keyOf({ kind: object.kind, ...object.metadata }), object);
    },
    remove: (refs: readonly ObjectRef[]) => {
      for (const ref of refs) expect(objects.delete(keyOf(ref))).toBe(true);
    },
  };
  const player = new Player(scenario, target, () => scenario.now);
  player.setPlaying(false);
  const states = scenario.steps.map((step, index): State => {
    player.goTo(index);
    const ofKind = (kind: string) => [...objects.values()].filter((object) => object.kind === kind);
    return {
      step: `${index} ${step.title}`,
      names: [...objects.keys()].sort(),
      nodes: ofKind("Node").map(normalizeNode),
      pods: ofKind("Pod").map(normalizePod),
      events: ofKind("Event").map(normalizeEvent),
    };
  });
  player.close();
  const { reservations, problems } = parseGenericReservations(scenario.reservations, { sourceId: "test" });
  expect(problems).toEqual([]);
  return { scenario, states, reservations };
}

function viewOf({ nodes, pods, events }: State, reservations: readonly Reservation[], now: number) {
  return derive(aSnapshot({ nodes, pods, events, reservations }), now).view;
}

/** Resources by which the pods bound to `node` ask for more than it has. */
function overcommitted(node: NodeRecord, pods: readonly PodRecord[]): string[] {
  const requested = new Map<string, number>();
  for (const pod of pods) {
    if (pod.nodeName !== node.name || pod.phase === "Succeeded" || pod.phase === "Failed") continue;
    for (const [resource, amount] of Object.entries(pod.requests)) {
      requested.set(resource, (requested.get(resource) ?? 0) + amount);
    }
  }
  const has: Resources = node.allocatable ?? {};
  return [...requested].flatMap(([resource, amount]) =>
    amount > (has[resource] ?? 0) ? [`${node.name}: ${amount} ${resource}`] : [],
  );
}

const [fleet, layers] = await Promise.all([statesOf("fleet"), statesOf("layers")]);

it("covers every bundled scenario", () => {
  expect(demoScenarios()).toEqual([fleet.scenario.name, layers.scenario.name]);
});

describe.each([fleet, layers])("scenario $scenario.name", ({ scenario, states }) => {
  it("has objects that read without a problem, and no name twice in a file", () => {
    for (const { step, nodes, pods, events } of states) {
      const problems: FieldProblem[] = [...nodes, ...pods].flatMap((record) => record.problems);
      expect(problems, step).toEqual([]);
      expect(
        events.every((event) => event.about.name !== "" && event.message !== ""),
        step,
      ).toBe(true);
    }
    const names = scenario.objects.map(
      ({ kind, metadata }) => `${kind}/${metadata.namespace}/${metadata.name}`,
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it("refers only to what is there", () => {
    for (const { step, names, pods, events } of states) {
      const bound = pods.flatMap((pod) => [pod.nodeName ?? [], pod.nominatedNodeName ?? []].flat());
      const about = events.map(({ about: { kind, namespace, name: of } }) =>
        kind === "Node" ? `Node//${of}` : `${kind}/${namespace}/${of}`,
      );
      const refers = [...new Set([...bound.map((node) => `Node//${node}`), ...about])];
      expect(
        refers.filter((ref) => !names.includes(ref)),
        step,
      ).toEqual([]);
    }
  });

  it("never promises more than a node has", () => {
    for (const { step, nodes, pods } of states) {
      expect(
        nodes.flatMap((node) => overcommitted(node, pods)),
        step,
      ).toEqual([]);
    }
  });

  it("says why each pod waits, over all nodes, in its status and in an event", () => {
    for (const { step, nodes, pods, events } of states) {
      for (const pod of pods.filter(({ nodeName }) => nodeName === undefined)) {
        const said = pod.conditions.find(({ type }) => type === "PodScheduled");
        expect(said, `${step}: ${pod.name}`).toMatchObject({ status: "False", reason: "Unschedulable" });
        expect(said?.message).toContain(`0/${nodes.length} nodes are available: `);
        const [counts = ""] = said?.message.split(". no new claims") ?? [];
        const refused = [...counts.matchAll(/[:,] (\d+) /g)].reduce(
          (sum, [, count]) => sum + Number(count),
          0,
        );
        expect(refused, `${step}: ${pod.name}`).toBe(nodes.length);
        const event = events.find(
          ({ about, reason }) => about.uid === pod.uid && reason === "FailedScheduling",
        );
        expect(event?.message).toBe(said?.message);
      }
    }
  });

  it("ends a loop with what it began with", () => {
    if (scenario.loops) expect(states.at(-1)?.names).toEqual(states[0]?.names);
    else expect(scenario.steps[0]).toMatchObject({ apply: [], remove: [] });
  });
});

describe("fleet", () => {
  it("has every stage that needs no provider's answer and every plain verdict, in every step", () => {
    const { scenario, states, reservations } = fleet;
    for (const state of states) {
      const { totals, stuck, issues } = viewOf(state, reservations, scenario.now);
      const empty = totals.stages.flatMap(({ stage, gpus }) => (gpus === 0 ? [stage] : []));
      expect(empty, state.step).toEqual(["broken-at-provider", "elsewhere", "not-registered"]);
      expect([...new Set(stuck.map(({ reason }) => reason))], state.step).toEqual(
        expect.arrayContaining([
          "GpusBusy",
          "GpusFragmented",
          "RequestNeverFits",
          "NodeNotReady",
          "NodeCordoned",
          "GpuNotAdvertised",
          "GpuUnhealthy",
          "OtherResourcesExhausted",
          "ImagePullFailed",
          "CrashLoop",
        ]),
      );
      expect(issues, state.step).toEqual([]);
    }
  });

  it.each([
    ["ml-research/llama-70b-pretrain-worker-4", "GpuNotAdvertised"],
    ["ml-research/dpo-13b-worker-3", "NodeNotReady"],
    ["vision/vit-22b-worker-1", "GpuUnhealthy"],
    ["speech/tts-xl-worker-4", "NodeCordoned"],
    ["ml-research/moe-eval-q7x2k", "GpusFragmented"],
    ["ml-research/llama-405b-serve-0", "RequestNeverFits"],
    ["ml-research/moe-128-worker-3", "CrashLoop"],
    ["lab/mdsim-run-88-l5d7z", "GpusBusy"],
  ])("%s is stuck for %s", (pod, reason) => {
    const stuck = fleet.states
      .slice(0, 1)
      .flatMap((state) => viewOf(state, fleet.reservations, fleet.scenario.now).stuck);
    expect(stuck.find(({ namespace, name }) => `${namespace}/${name}` === pod)?.reason).toBe(reason);
  });
});

describe("layers", () => {
  it("climbs from paid to working, one layer after the other", () => {
    const { scenario, states, reservations } = layers;
    const climbed = states.map((state) => {
      const { totals, stuck } = viewOf(state, reservations, scenario.now);
      const { paid, schedulable, working } = totals;
      return [paid.gpus, schedulable.gpus, working.gpus, stuck.map((each) => `${each.name} ${each.reason}`)];
    });
    expect(climbed).toEqual([
      [2, 0, 0, []],
      [2, 1, 0, []],
      [2, 2, 0, []],
      [2, 2, 2, ["trainer-c GpusBusy"]],
      [2, 2, 2, []],
    ]);
  });
});
