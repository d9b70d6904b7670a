"use client";

import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import { useNow } from "@/lib/client/clock.tsx";
import type { PoolView } from "@/lib/model/fleet-view.ts";
import { poolWords } from "./pool-words.ts";

/** What a column stands for: name (opens the pool), machine, size and price of a GPU-hour, place and term. */
export function PoolHead({ pool, titleId }: { pool: PoolView; titleId: string }) {
  const words = poolWords(pool, useNow());
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
      {words.term !== "" && (
        <Line text={words.term} title={words.term} className={words.soon ? "text-warn" : "text-ink-3"} />
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
