import type { ReservationView } from "@/lib/model/fleet-view.ts";

/** How capacity in a state is filled, in the calendar and beside the word: never by colour alone. */
export const TERM_FILL: Readonly<Record<ReservationView["state"], string>> = {
  active: "term-active",
  scheduled: "term-scheduled",
  ended: "term-ended",
  failed: "term-failed",
  unknown: "untold",
};

/** A state's key. */
export function TermSwatch({ state }: { state: ReservationView["state"] }) {
  return (
    <span aria-hidden="true" className={`inline-block size-2.5 shrink-0 rounded-[2px] ${TERM_FILL[state]}`} />
  );
}
