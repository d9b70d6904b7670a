import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildFleet } from "../layers/build-fleet.ts";
import { acceleratorRequests } from "../model/accelerators.ts";
import { layerOf } from "../model/reasons.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { LAYERS } from "../model/stages.ts";
import { aNode, aPod, NOW } from "../testing/builders.ts";
import { snapshots as anySnapshots } from "../testing/generated-fleet.ts";
import { diagnose } from "./diagnose.ts";
import type { Verdict } from "./verdict.ts";
import { verdictView } from "./verdict-view.ts";

/** Fleets in which half of the pods wait. */
const snapshots = anySnapshots.map((snapshot): Snapshot => {
  const { conditions } = aPod();
  const items = snapshot.pods.items.map((pod, index) => {
    const named = { ...pod, name: `pod-${index}` };
    return index % 2 === 0 ? named : { ...named, nodeName: undefined, phase: "Pending" as const, conditions };
  });
  return { ...snapshot, pods: { ...snapshot.pods, items } };
});

const verdictsOn = (snapshot: Snapshot) => diagnose(buildFleet(snapshot, NOW), NOW);
const answers = (verdicts: readonly Verdict[]) =>
  verdicts.map(({ name, reason }) => `${name} ${reason}`).sort();

describe("any fleet", () => {
  it("gives every verdict the layer of its reason, and breaks the ladder there and nowhere else", () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        for (const { reason, layer, ladder } of verdictsOn(snapshot)) {
          expect(layer).toBe(layerOf(reason));
          expect(LAYERS.filter((one) => ladder[one].state === "broken")).toEqual([layer]);
          const above = LAYERS.slice(LAYERS.indexOf(layer) + 1);
          expect(above.every((one) => ladder[one].state === "not-reached")).toBe(true);
        }
      }),
    );
  });

  it("has one verdict for every GPU pod without a node, and none for pods that hold no GPU or are a system's", () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const fleet = buildFleet(snapshot, NOW);
        const verdicts = diagnose(fleet, NOW).map(({ namespace, name }) => `${namespace}/${name}`);
        const unplaced = fleet.gpuPods.filter((pod) => pod.nodeName === undefined);
        for (const pod of unplaced) expect(verdicts).toContain(`${pod.namespace}/${pod.name}`);
        for (const pod of snapshot.pods.items) {
          const competes = pod.system === undefined && acceleratorRequests(pod.requests).length > 0;
          if (!competes) expect(verdicts).not.toContain(`${pod.namespace}/${pod.name}`);
        }
      }),
    );
  });

  it("can be sent", () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        for (const verdict of verdictsOn(snapshot)) {
          const view = verdictView(verdict);
          expect(JSON.parse(JSON.stringify(view))).toEqual(view);
          expect(`${view.sentence} ${JSON.stringify(view)}`).not.toMatch(/undefined|NaN|Infinity/);
        }
      }),
    );
  });

  it("gives the same reasons in whatever order the objects come", () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const names = new Set<string>();
        const nodes = snapshot.nodes.items.filter(({ name }) => !names.has(name) && names.add(name));
        const forth = { ...snapshot, nodes: { ...snapshot.nodes, items: nodes } };
        const back: Snapshot = {
          ...forth,
          nodes: { ...forth.nodes, items: [...nodes].reverse() },
          pods: { ...forth.pods, items: [...forth.pods.items].reverse() },
        };
        expect(answers(verdictsOn(back))).toEqual(answers(verdictsOn(forth)));
      }),
    );
  });

  it("blames no node, no supply and no request once there is an empty node that fits", () => {
    const labels = { pool: "res-0" };
    const big = { cpu: 1e6, memory: 2 ** 40, pods: 100, "nvidia.com/gpu": 100 };
    const room = aNode({ name: "room", labels, capacity: big, allocatable: big, gpus: 0 });
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const nodes = { known: true, items: [...snapshot.nodes.items, room] };
        const fleet = buildFleet({ ...snapshot, nodes, reservations: { known: true, items: [] } }, NOW);
        const nominated = new Set(fleet.gpuPods.flatMap((pod) => pod.nominatedNodeName ?? []));
        if (nominated.has("room")) return;
        const pods = fleet.gpuPods.filter(
          ({ nodeName, requests, nodeSelector }) =>
            nodeName === undefined &&
            "nvidia.com/gpu" in requests &&
            (nodeSelector.pool ?? "res-0") === "res-0",
        );
        const verdicts = diagnose(fleet, NOW);
        for (const pod of pods) {
          const verdict = verdicts.find(
            ({ namespace, name }) => namespace === pod.namespace && name === pod.name,
          );
          expect(verdict?.reason).toBe("SchedulerDelay");
        }
      }),
    );
  });
});
