import type { SourceView } from "@/lib/model/fleet-view.ts";
import type { SourceState } from "@/lib/model/snapshot.ts";

/** How a source's dot looks: filled is live, ring has old data, dashed has none. */
export type Dot = "live" | "old" | "none";

/** A source as the header's chip says it. */
export interface SourceChip {
  readonly id: string;
  readonly state: SourceState;
  readonly name: string;
  readonly dot: Dot;
  /** The state in a word; `live` chips of watched sources need no age. */
  readonly word: string;
  /** ISO time the word's age counts from; null where there is none to tell. */
  readonly since: string | null;
  /** Something is wrong with it. */
  readonly trouble: boolean;
  /** The problem and what to do about it; empty where there is none. */
  readonly detail: string;
}

const NAMES: Readonly<Record<string, string>> = {
  "kubernetes/nodes": "Nodes",
  "kubernetes/pods": "Pods",
  "kubernetes/events": "Events",
  "kubernetes/discovery": "Further kinds",
  reservations: "Reservations",
  prometheus: "Prometheus",
};

const DOTS: Readonly<Record<SourceState, Dot>> = {
  live: "live",
  stale: "old",
  unreachable: "none",
  forbidden: "none",
  absent: "none",
  loading: "none",
  "not-configured": "none",
};

const CALM: readonly SourceState[] = ["live", "loading", "not-configured"];

/** A source in words. `heard`: the server still tells; without it what was live is no more than what was known last. */
export function sourceChip({ id, kind, state, asOf, error }: SourceView, heard: boolean): SourceChip {
  const watched = kind === "kubernetes" && state === "live" && heard;
  return {
    id,
    state,
    name: NAMES[id] ?? id.replace(/^reservations\//, "Reservations "),
    dot: state === "live" && !heard ? "old" : DOTS[state],
    word: wordOf(state, watched),
    since: watched || state === "loading" || state === "not-configured" ? null : asOf,
    trouble: !CALM.includes(state) || error !== null,
    detail: error ? [error.message, error.hint].filter((part) => part !== "").join(" ") : "",
  };
}

/** Sources beyond this many are summed up. */
const MOST_CHIPS = 6;

/** The chips that are named one by one, and what is said of the others. */
export interface ChipSum {
  readonly named: readonly SourceChip[];
  /** How many are set up and fine, and not named. */
  readonly fine: number;
  /** Which they are, and which sources are not set up. */
  readonly detail: string;
}

/** Sums up what is well where there are many chips; trouble, and what is not read yet, is always named. */
export function sumUp(chips: readonly SourceChip[]): ChipSum {
  const fine = chips.filter(({ trouble, state }) => !trouble && state === "live");
  if (chips.length <= MOST_CHIPS || fine.length === 0) return { named: chips, fine: 0, detail: "" };
  const unset = chips.filter(({ trouble, state }) => !trouble && state === "not-configured");
  const notSet = unset.length > 0 ? `; not set: ${namesOf(unset)}` : "";
  return {
    named: chips.filter((chip) => !fine.includes(chip) && !unset.includes(chip)),
    fine: fine.length,
    detail: namesOf(fine) + notSet,
  };
}

const namesOf = (chips: readonly SourceChip[]): string => chips.map(({ name }) => name).join(", ");

function wordOf(state: SourceState, watched: boolean): string {
  if (state === "live") return watched ? "live" : "read";
  return state === "not-configured" ? "not set" : state;
}
