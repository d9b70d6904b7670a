import { formatGpus, formatPerHour } from "@/components/ui/format.ts";
import type { LedgerView, StageView } from "@/lib/model/fleet-view.ts";
import { stageInfo } from "@/lib/model/stages.ts";

/** The stages that hold GPUs, best first (working) on both sides of the seam: the order in which a bar is drawn. */
export function stripParts(ledger: Pick<LedgerView, "stages">): {
  readonly schedulable: readonly StageView[];
  readonly seam: readonly StageView[];
} {
  const present = ledger.stages.filter((stage) => stage.gpus !== null && stage.gpus > 0).reverse();
  return {
    schedulable: present.filter((stage) => stageInfo(stage.stage).schedulable),
    seam: present.filter((stage) => !stageInfo(stage.stage).schedulable),
  };
}

/** A part of a bar in words, for its tooltip. */
export function stageTitle(stage: StageView): string {
  return `${stageInfo(stage.stage).label} (${stage.layer}): ${formatGpus(stage.gpus)}, ${formatPerHour(stage)}`;
}
