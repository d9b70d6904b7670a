import type { LedgerView, PoolView, StageView } from "@/lib/model/fleet-view.ts";
import { combineCertainty, type Figure, sumMoney } from "@/lib/model/money.ts";
import { type Stage, stageInfo } from "@/lib/model/stages.ts";

/** What the capacity team counts of one ledger, or of several. */
export interface CapacitySums {
  readonly paid: Figure;
  /** On a machine of this cluster, whether that has become a node yet or not. */
  readonly launched: Figure;
  readonly schedulable: Figure;
  /** Held by a pod, whether it runs or not. */
  readonly requested: Figure;
  readonly seam: Figure;
  /** True where more may be paid than could be counted. */
  readonly paidBounded: boolean;
  /** True where GPUs that cannot be told may add to every other count. */
  readonly bounded: boolean;
}

/** The figures of `CapacitySums`. */
export type SumKey = Exclude<keyof CapacitySums, "bounded" | "paidBounded">;

const WITHOUT_MACHINE: readonly Stage[] = ["broken-at-provider", "not-launched", "elsewhere"];

/** The sums of one ledger. */
export function ledgerSums(ledger: LedgerView): CapacitySums {
  const sumOf = (isIn: (stage: StageView) => boolean) => addFigures(ledger.stages.filter(isIn));
  return {
    paid: ledger.paid,
    launched: sumOf(({ stage }) => !WITHOUT_MACHINE.includes(stage)),
    schedulable: ledger.schedulable,
    requested: sumOf(({ stage }) => stageInfo(stage).layer === "L4"),
    seam: ledger.seam,
    paidBounded: ledger.unknown.gpus === null,
    bounded: ledger.unknown.gpus !== 0,
  };
}

/** The sums over `pools`. */
export function capacitySums(pools: readonly PoolView[]): CapacitySums {
  const parts = pools.map(ledgerSums);
  const sumOf = (key: SumKey) => addFigures(parts.map((part) => part[key]));
  return {
    paid: sumOf("paid"),
    launched: sumOf("launched"),
    schedulable: sumOf("schedulable"),
    requested: sumOf("requested"),
    seam: sumOf("seam"),
    paidBounded: parts.some(({ paidBounded }) => paidBounded),
    bounded: parts.some(({ bounded }) => bounded),
  };
}

/**
 * Figures added up: currencies stay apart; parts that cannot be counted leave the rest as a lower bound, and nothing
 * where no part can be counted. No parts: 0 GPUs.
 */
export function addFigures(parts: readonly Figure[]): Figure {
  const counted = parts.flatMap(({ gpus }) => (gpus === null ? [] : [gpus]));
  if (parts.length > 0 && counted.length === 0) return { gpus: null, perHour: [], certainty: "?" };
  // Nothing is as sure as nothing can be: it says nothing of the price of the others.
  const telling = parts.filter(({ gpus }) => gpus !== 0);
  return {
    gpus: counted.reduce((sum, gpus) => sum + gpus, 0),
    perHour: sumMoney(parts.flatMap(({ perHour }) => perHour)),
    certainty: combineCertainty(telling.map(({ certainty }) => certainty)),
  };
}
