import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildFleet } from "../../layers/build-fleet.ts";
import { NO_FACTS } from "../../model/facts/facts.ts";
import type { ClusterQueueRecord } from "../../model/facts/kueue.ts";
import { aSnapshot, NOW } from "../../testing/builders.ts";
import { aClusterQueue, aPodSet, aWorkload } from "../../testing/queue-builders.ts";
import { kueueIndex } from "./kueue-index.ts";
import { canHold, roomOf } from "./queue-quota.ts";

const indexOf = (queues: readonly ClusterQueueRecord[]) =>
  kueueIndex(
    buildFleet(aSnapshot({ facts: { ...NO_FACTS, clusterQueues: { known: true, items: queues } } }), NOW),
  );

const amount = fc.nat(64);
const limit = fc.option(amount, { nil: undefined });
const quota = fc
  .record({ nominal: amount, used: amount, borrowingLimit: limit, lendingLimit: limit })
  .map(({ borrowingLimit, lendingLimit, ...rest }) => ({
    ...rest,
    ...(borrowingLimit === undefined ? {} : { borrowingLimit }),
    ...(lendingLimit === undefined ? {} : { lendingLimit }),
  }));

describe("quota of any cohort", () => {
  it("never gives less than nothing, nor more than the queue may ever hold", () => {
    fc.assert(
      fc.property(fc.array(quota, { minLength: 1, maxLength: 5 }), fc.boolean(), (quotas, together) => {
        const cohort = together ? "all" : "";
        const queues = quotas.map((one, at) => aClusterQueue({ f: one }, { name: `q${at}`, cohort }));
        const index = indexOf(queues);
        for (const queue of queues) {
          const room = roomOf(queue, "f", "nvidia.com/gpu", index);
          if (!room) throw new Error("the queue has this flavor");
          expect(room.free).toBeGreaterThanOrEqual(0);
          expect(room.free).toBeLessThanOrEqual(Math.max(0, room.most - room.used));
          expect(room.lent).toBeLessThanOrEqual(room.nominal);
          if (!together) expect(room.most).toBe(room.nominal);
        }
      }),
    );
  });

  it("holds now only what it could ever hold", () => {
    const sets = fc.array(
      fc.record({ gpus: fc.integer({ min: 1, max: 8 }), count: fc.integer({ min: 1, max: 4 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(quota, quota, sets, (one, other, podSets) => {
        const queue = aClusterQueue({ a: one, b: other });
        const workload = aWorkload({
          podSets: podSets.map((set, at) => aPodSet({ ...set, name: `s${at}` })),
        });
        const index = indexOf([queue]);
        const now = canHold(workload, queue, index, ({ free }) => free);
        const ever = canHold(workload, queue, index, ({ most }) => most);
        expect(now && !ever).toBe(false);
      }),
    );
  });

  it("counts a queue with very many choices as one that could", () => {
    const flavors = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`f${at}`, { nominal: 9 }]));
    const queue = aClusterQueue(flavors);
    const podSets = Array.from({ length: 17 }, (_, at) => aPodSet({ name: `s${at}`, gpus: 8 }));
    expect(canHold(aWorkload({ podSets }), queue, indexOf([queue]), ({ most }) => most)).toBe(true);
  });
});
