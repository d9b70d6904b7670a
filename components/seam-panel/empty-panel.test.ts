import { describe, expect, it } from "vitest";
import type { Figure, LedgerView } from "@/lib/model/fleet-view.ts";
import { emptyAbove, emptySeam } from "./empty-panel.ts";

const figure = (gpus: number | null): Figure => ({ gpus, perHour: [], certainty: gpus === null ? "?" : "=" });

function aLedger(
  gpus: Partial<Record<"paid" | "schedulable" | "seam" | "working" | "unknown", number | null>>,
) {
  const all = { paid: 8, schedulable: 8, seam: 0, working: 8, unknown: 0, ...gpus };
  const ledger: LedgerView = {
    paid: figure(all.paid),
    schedulable: figure(all.schedulable),
    seam: figure(all.seam),
    working: figure(all.working),
    unknown: figure(all.unknown),
    stages: [],
  };
  return ledger;
}

describe("a panel without losses", () => {
  it.each([
    ["all is well", aLedger({}), /^Nothing is lost/, /^Every schedulable/],
    ["nothing was read", aLedger({ paid: null, schedulable: null }), /^Not known yet/, /^Not known yet/],
    [
      "pods were not read",
      aLedger({ unknown: 8, working: null }),
      /^None is seen, but/,
      /^None is seen, but/,
    ],
    [
      "an empty cluster",
      aLedger({ paid: 0, schedulable: 0, working: 0 }),
      /^No paid GPUs/,
      /^No schedulable/,
    ],
  ])("%s", (_, totals, seam, above) => {
    expect(emptySeam(totals)).toMatch(seam);
    expect(emptyAbove(totals)).toMatch(above);
  });
});
