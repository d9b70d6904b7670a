"use client";

import { TERM_TONE } from "@/components/capacity/term-words.tsx";
import { formatTime } from "@/components/ui/format.ts";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import { useNow } from "@/lib/client/clock.tsx";
import type { PoolView } from "@/lib/model/fleet-view.ts";
import { poolWords } from "./pool-words.ts";

/**
 * What a column stands for: name (opens the pool), machine, size and price of a GPU-hour, place, and state with a
 * countdown. `isAnnounced`: it ends within the notice time.
 */
export function PoolHead({
  pool,
  titleId,
  isAnnounced,
}: {
  pool: PoolView;
  titleId: string;
  isAnnounced: boolean;
}) {
  const words = poolWords(pool, useNow(), isAnnounced);
  const { term } = words;
  return (
    <div className="min-w-0 pt-0.5 pr-2 pb-2.5 pl-3">
      <h3 id={titleId} className="truncate font-semibold" title={pool.name}>
        <SelectionLink to={{ kind: "pool", id: pool.id }} className="block truncate leading-6">
          {pool.name}
        </SelectionLink>
      </h3>
      <Line text={words.machine} title={pool.instanceTypes.join(", ") || words.machine} />
      <Line text={words.size} title={`${words.size} for one GPU for one hour`} />
      {words.place !== "" && <Line text={words.place} title={pool.zones.join(", ")} className="text-ink-3" />}
      {term.text !== "" && (
        <Line
          text={term.text}
          title={stateTitle(pool, term.text)}
          className={term.tone === "calm" ? "text-ink-3" : `font-[560] ${TERM_TONE[term.tone]}`}
        />
      )}
    </div>
  );
}

function Line({
  text,
  title,
  className = "text-ink-2",
}: {
  text: string;
  title: string;
  className?: string;
}) {
  return (
    <p className={`truncate text-[11.5px] tabular-nums ${className}`} title={title}>
      {text}
    </p>
  );
}

/** The state in our word and the provider's, and what comes next. */
function stateTitle({ reservation }: PoolView, term: string): string {
  if (!reservation) return term;
  const { state, rawState, start, end } = reservation;
  const moment = state === "scheduled" ? start : end;
  return [
    rawState === null ? state : `${state} (the provider says ${rawState})`,
    moment === null ? term : `${term}, ${formatTime(moment)}`,
  ].join(": ");
}
