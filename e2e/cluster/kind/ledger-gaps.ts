import type { FleetView, LedgerView } from "../../../lib/model/fleet-view.ts";

/** What does not add up, in words: nothing where every ledger closes. */
export function ledgerGaps({ totals, pools }: FleetView): string[] {
  const sum = ({ stages, unknown }: LedgerView) =>
    [...stages, unknown].reduce((gpus, figure) => gpus + (figure.gpus ?? 0), 0);
  const ledgers = [{ name: "all pools", ...totals }, ...pools];
  return ledgers
    .filter((ledger) => sum(ledger) !== ledger.paid.gpus)
    .map((ledger) => `${ledger.name}: ${ledger.paid.gpus} paid, ${sum(ledger)} in stages`);
}
