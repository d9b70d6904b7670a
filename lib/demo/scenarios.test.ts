import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Facts } from "../model/facts/facts.ts";
import type { EventRecord, FieldProblem, NodeRecord, PodRecord, Resources } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import { derive } from "../pipeline.ts";
import { normalizeEvent } from "../sources/kubernetes/normalize-event.ts";
import { normalizeNode } from "../sources/kubernetes/normalize-node.ts";
import { normalizePod } from "../sources/kubernetes/normalize-pod.ts";
import { combineReservations } from "../sources/reservations/combine.ts";
import { createFixedSource } from "../sources/reservations/fixed-source.ts";
import type { KubernetesObject, ObjectRef } from "../testing/api-server/kubernetes-object.ts";
import { aSnapshot } from "../testing/builders.ts";
import { factsOf } from "../testing/facts-of.ts";
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
  readonly facts: Facts;
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
      facts: factsOf([...objects.values()]),
    };
  });
  player.close();
  const documents = [scenario.reservations, ...scenario.providers.flatMap((provider) => provider.documents)];
  const source = createFixedSource({ documents, id: "reservations/test", now: () => scenario.now });
  const { reservations, issues } = combineReservations([source.read()], scenario.now);
  expect([...source.read().issues, ...issues]).toEqual([]);
  return { scenario, states, reservations: reservations.items };
}

function viewOf({ nodes, pods, events, facts }: State, reservations: readonly Reservation[], now: number) {
  return derive(aSnapshot({ nodes, pods, events, facts, reservations }), now).view;
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
      // Karpenter deletes a claim that the cloud has refused: what was said of it is all that is left.
      const kept = events.filter(({ about }) => about.kind !== "NodeClaim");
      const about = kept.map(({ about: { kind, namespace, name: of } }) =>
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
        const own = events.filter(
          ({ about, reason }) => about.uid === pod.uid && reason === "FailedScheduling",
        );
        expect(own.map(({ message }) => message)).toContain(said?.message);
      }
    }
  });

  it("ends a loop with what it began with", () => {
    if (scenario.loops) expect(states.at(-1)?.names).toEqual(states[0]?.names);
    else expect(scenario.steps[0]).toMatchObject({ apply: [], remove: [] });
  });
});

describe("fleet", () => {
  it("has every stage and verdicts of every layer, in every step", () => {
    const { scenario, states, reservations } = fleet;
    for (const state of states) {
      const { totals, stuck, issues } = viewOf(state, reservations, scenario.now);
      const empty = totals.stages.flatMap(({ stage, gpus }) => (gpus === 0 ? [stage] : []));
      expect(empty, state.step).toEqual([]);
      expect(stuck.length, state.step).toBeLessThanOrEqual(16);
      expect([...new Set(stuck.map(({ reason }) => reason))].sort(), state.step).toEqual([
        "AutoscalerLimitReached",
        "CloudStockout",
        "CrashLoop",
        "DevicePluginDown",
        "GangIncomplete",
        "GpusBusy",
        "GpusFragmented",
        "ImagePullFailed",
        "NamespaceQuotaExceeded",
        "NcclTimeout",
        "NodeCordoned",
        "NodeNotReady",
        "OtherResourcesExhausted",
        "QueueQuotaExhausted",
        "RequestNeverFits",
        "ReservationNotStarted",
      ]);
      expect(issues, state.step).toEqual([]);
    }
  });

  it.each([
    ["Pod data/dedup-embed-k8v4t", "CloudStockout"],
    ["Pod ml-research/b200-bringup-n5xw8", "ReservationNotStarted"],
    ["Pod vision/sam3-distill-worker-1", "AutoscalerLimitReached"],
    ["Pod ml-research/dpo-13b-worker-3", "NodeNotReady"],
    ["Pod speech/asr-xl-worker-2", "DevicePluginDown"],
    ["Pod speech/tts-xl-worker-4", "NodeCordoned"],
    ["Pod nlp/gemma-sft-worker-5", "GpusBusy"],
    ["Pod ml-research/moe-eval-q7x2k", "GpusFragmented"],
    ["Workload nlp/job-rlhf-sweep-5d0b9", "QueueQuotaExhausted"],
    ["Job vision/tile-embed", "NamespaceQuotaExceeded"],
    ["Pod ml-research/llama-405b-serve-0", "RequestNeverFits"],
    // Its termination message names the collective that it has lost: more than that it crashes.
    ["Pod ml-research/moe-128-worker-3", "NcclTimeout"],
    ["Pod serving/vlm-13b-edge-7c9f5d6b8-r4tkz", "CrashLoop"],
  ])("%s is stuck for %s", (object, reason) => {
    expect(first().stuck.find((one) => `${one.kind} ${one.namespace}/${one.name}` === object)?.reason).toBe(
      reason,
    );
  });

  it("shows a gang as one entry", () => {
    expect(first().stuck.find(({ reason }) => reason === "GangIncomplete")).toMatchObject({
      namespace: "vision",
      count: 4,
      gpus: 4,
    });
  });

  it("has capacity in every state, as its providers say", () => {
    const { pools, findings } = first();
    const told = pools.flatMap(({ name, reservation: r }) =>
      r ? [[name, r.state, r.slots, r.launched, r.free, r.broken]] : [],
    );
    expect(told.sort()).toEqual([
      ["cb-91c2", "active", 8, 7, 0, 1],
      ["cb-b200", "scheduled", 4, 0, 0, 0],
      ["cr-05b8", "ended", 4, 0, 0, 0],
      ["cr-0f3a", "active", 16, 15, 1, 0],
      ["crg-dev", "active", 2, 0, 0, 0],
      ["crg-nd", "active", 6, 3, 3, 0],
      ["dgx-lab", "active", 2, 2, 0, 0],
      ["fr-b200-q1", "scheduled", 4, 0, 0, 0],
      ["mi300x-eval", "active", 1, 0, 1, 0],
      ["res-train-a3", "active", 13, 12, 0, 1],
    ]);
    expect([...new Set(findings.map(({ kind }) => kind))].sort()).toEqual([
      "double-pay",
      "ending-with-work",
      "idle",
      "not-consumable",
      "overallocated",
    ]);
  });

  function first() {
    const [state] = fleet.states;
    if (!state) throw new Error("fleet has no step");
    return viewOf(state, fleet.reservations, fleet.scenario.now);
  }
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
