import { describe, expect, it } from "vitest";
import type { Figure, LossView } from "@/lib/model/fleet-view.ts";
import type { Layer } from "@/lib/model/stages.ts";
import { headline } from "./headline.ts";

const gpus = (count: number | null): Figure => ({
  gpus: count,
  perHour: [],
  certainty: count === null ? "?" : "=",
});

function totals(paid: number | null, schedulable: number | null, working: number | null, unknown = 0) {
  const seam = paid === null || schedulable === null ? null : paid - schedulable - unknown;
  return {
    paid: gpus(paid),
    schedulable: gpus(schedulable),
    working: gpus(working),
    seam: gpus(seam),
    unknown: gpus(unknown),
  };
}

function loss(count: number | null, owner: string, layer: Layer, seam = true): LossView {
  return {
    ...gpus(count),
    id: `${owner}-${layer}-${count}`,
    pool: "reservation/a",
    poolName: "a",
    stage: "not-ready",
    layer,
    seam,
    reason: "NodeNotReady",
    title: "Node not ready",
    detail: "",
    owner,
    contact: null,
    since: null,
    sinceSeen: false,
    objects: [],
    objectCount: 0,
  };
}

const platform = (count: number) => loss(count, "platform team", "L2");

describe("headline", () => {
  it.each<[string, ReturnType<typeof totals>, readonly LossView[], string]>([
    [
      "names whose move it is, most GPUs first",
      totals(400, 319, 281),
      [loss(8, "provider", "L1"), platform(40), platform(33), loss(22, "scheduling team", "L3", false)],
      "Of 400 GPUs paid for this hour, *319 can be scheduled* and *281 work*. 73 of the 81 in the seam wait on the *platform team* (L2), 8 on the *provider* (L1).",
    ],
    [
      "says so where one owner has all",
      totals(16, 8, 8),
      [platform(8)],
      "Of 16 GPUs paid for this hour, *8 can be scheduled* and *8 work*. All 8 in the seam wait on the *platform team* (L2).",
    ],
    [
      "speaks of one GPU",
      totals(1, 0, 0),
      [loss(1, "Ann", "L2")],
      "Of 1 GPU paid for this hour, *none can be scheduled* and *none works*. The one in the seam waits on *Ann* (L2).",
    ],
    [
      "is glad of one GPU",
      totals(1, 1, 1),
      [],
      "The one GPU paid for this hour *can be scheduled and works*. Nothing is lost in the seam.",
    ],
    [
      "is glad of many",
      totals(2400, 2400, 2400),
      [],
      "All 2,400 GPUs paid for this hour *can be scheduled and work*. Nothing is lost in the seam.",
    ],
    [
      "tells idle from lost",
      totals(10, 10, 1),
      [],
      "Of 10 GPUs paid for this hour, *10 can be scheduled* and *1 works*. Nothing is lost in the seam.",
    ],
    ["says that nothing is paid", totals(0, 0, 0), [], "No GPU is paid for this hour."],
    [
      "does not guess what is paid",
      totals(null, null, null),
      [],
      "How many GPUs are paid for this hour cannot be told yet.",
    ],
    [
      "does not turn unread nodes into a loss",
      totals(128, null, null, 128),
      [],
      "128 GPUs are paid for this hour; *how many can be scheduled cannot be told*. Where *128 are* cannot be told.",
    ],
    [
      "says at least where a part is unknown",
      totals(24, 16, 8, 8),
      [],
      "Of 24 GPUs paid for this hour, *at least 16 can be scheduled* and *at least 8 work*. Where *8 are* cannot be told.",
    ],
    [
      "does not guess what works",
      totals(24, 24, null),
      [],
      "Of 24 GPUs paid for this hour, *24 can be scheduled* and *how many work cannot be told*. Nothing is lost in the seam.",
    ],
    [
      "sums up many owners and adds up the layers of one",
      totals(20, 0, 0),
      [
        loss(8, "a", "L2"),
        loss(2, "a", "L1"),
        loss(4, "b", "L2"),
        loss(3, "c", "L1"),
        loss(2, "d", "L2"),
        loss(1, "e", "L2"),
        loss(null, "f", "L2"),
      ],
      "Of 20 GPUs paid for this hour, *none can be scheduled* and *none works*. 10 of the 20 in the seam wait on *a* (L1, L2), 4 on *b* (L2), 3 on *c* (L1), 3 on others.",
    ],
  ])("%s", (_, ledger, losses, sentence) => {
    const text = headline(ledger, losses)
      .map((phrase) => (phrase.strong ? `*${phrase.text}*` : phrase.text))
      .join("");
    expect(text).toBe(sentence);
  });
});
