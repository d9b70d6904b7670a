import { formatAge } from "@/components/ui/format.ts";
import type { ReservationView } from "@/lib/model/fleet-view.ts";

/** Within so much time an end, or a start, is made to stand out. */
const NEAR = 7 * 86_400_000;

/** Where a reservation is in its life, with a countdown. */
export interface ReservationTerm {
  readonly text: string;
  /** `warn`: ends soon. `note`: starts soon. */
  readonly tone: "warn" | "note" | "calm";
}

/** The term at `now` (epoch ms). `announced`: it ends within the notice time that the configuration sets. */
export function reservationTerm(
  { state, start, end }: Pick<ReservationView, "state" | "start" | "end">,
  now: number,
  announced = false,
): ReservationTerm {
  switch (state) {
    case "active":
      return end === null ? { text: "no end date", tone: "calm" } : ends(Date.parse(end) - now, announced);
    case "scheduled": {
      if (start === null) return { text: "not started", tone: "calm" };
      const left = Date.parse(start) - now;
      if (left < 0) return { text: past("start was", left), tone: "note" };
      return { text: `starts in ${formatAge(left)}`, tone: left < NEAR ? "note" : "calm" };
    }
    case "ended":
      return { text: end === null ? "ended" : past("ended", Date.parse(end) - now), tone: "calm" };
    case "failed":
      return { text: "failed, not billed", tone: "calm" };
    case "unknown":
      return { text: "state unknown", tone: "calm" };
    default:
      return state satisfies never;
  }
}

function ends(left: number, announced: boolean): ReservationTerm {
  if (left < 0) return { text: past("end was", left), tone: "warn" };
  return { text: `ends in ${formatAge(left)}`, tone: announced || left < NEAR ? "warn" : "calm" };
}

/** An end that lies ahead, of what has ended already: it was given up before. */
function past(word: string, left: number): string {
  return left > 0 ? "ended early" : `${word} ${formatAge(-left)} ago`;
}
