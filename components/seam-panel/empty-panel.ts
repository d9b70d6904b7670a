import type { LedgerView } from "@/lib/model/fleet-view.ts";

/** What a panel without losses says. An absence of losses is only told where all GPUs could be told. */
export function emptySeam(totals: LedgerView): string {
  if (totals.paid.gpus === null) return "Not known yet: what is paid for could not be read.";
  if (totals.seam.gpus === null || totals.unknown.gpus !== 0)
    return "None is seen, but not all GPUs can be told.";
  if (totals.paid.gpus === 0) return "No paid GPUs were found.";
  return "Nothing is lost: every paid GPU can be scheduled.";
}

/** The same for what is schedulable and does not work. */
export function emptyAbove(totals: LedgerView): string {
  if (totals.schedulable.gpus === null) return "Not known yet: what is schedulable could not be read.";
  if (totals.working.gpus === null || totals.unknown.gpus !== 0) {
    return "None is seen, but not all GPUs can be told.";
  }
  if (totals.schedulable.gpus === 0) return "No schedulable GPUs were found.";
  return "Every schedulable GPU works.";
}
