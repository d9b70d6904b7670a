"use client";

import { useNow } from "@/lib/client/clock.tsx";
import { formatSince, formatTime } from "./format.ts";

/** How long ago `since` (ISO 8601; null where unknown) was, ticking; the absolute time is in the tooltip. */
export function Age({ since }: { since: string | null }) {
  const now = useNow();
  if (since === null) return <span className="tabular-nums">unknown</span>;
  return (
    <time className="whitespace-nowrap tabular-nums" dateTime={since} title={formatTime(since)}>
      {formatSince(since, now)}
    </time>
  );
}
