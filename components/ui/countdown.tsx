"use client";

import { useNow } from "@/lib/client/clock.tsx";
import { formatAge, formatTime } from "./format.ts";

/** `in 9 h 20 m` until `until` (ISO 8601), then `5 m ago`, ticking; the absolute time is in the tooltip. */
export function Countdown({ until }: { until: string }) {
  const left = Date.parse(until) - useNow();
  return (
    <time className="whitespace-nowrap tabular-nums" dateTime={until} title={formatTime(until)}>
      {left >= 0 ? `in ${formatAge(left)}` : `${formatAge(-left)} ago`}
    </time>
  );
}
