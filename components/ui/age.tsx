"use client";

import { useNow } from "@/lib/client/clock.tsx";
import { formatSince, formatTime } from "./format.ts";

/**
 * How long ago `since` (ISO 8601; null where unknown) was, ticking; the absolute time is in the tooltip.
 * `now` (epoch ms) fixes the moment it is looked at.
 */
export function Age({ since, now }: { since: string | null; now?: number }) {
  const ticking = useNow();
  if (since === null) return <span className="tabular-nums">unknown</span>;
  return (
    <time className="whitespace-nowrap tabular-nums" dateTime={since} title={formatTime(since)}>
      {formatSince(since, now ?? ticking)}
    </time>
  );
}
