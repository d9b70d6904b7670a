"use client";

import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatGpus } from "@/components/ui/format.ts";
import { formatTick, timeTicks } from "./trend-axis.ts";
import { TREND_LINES } from "./trend-lines.tsx";
import { TREND_NAMES, type TrendRow } from "./trend-series.ts";
import { TrendTooltip } from "./trend-tooltip.tsx";

const AXIS = { stroke: "var(--color-line)", tick: { fill: "var(--color-ink-2)", fontSize: 11 } };

/**
 * Paid, schedulable and working over time, with the seam between the first two tinted; gaps where a figure could not
 * be told. Only the picture: its words are the summary beside it.
 */
export default function TrendChart({
  rows,
  whole,
  format,
}: {
  rows: readonly TrendRow[];
  /** True where amounts are counts: then the axis has no fractions. */
  whole: boolean;
  format: (amount: number) => string;
}) {
  const from = rows[0]?.at ?? 0;
  const to = rows.at(-1)?.at ?? 0;
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={[...rows]}
        margin={{ top: 6, right: 4, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--color-line-soft)" />
        <XAxis
          {...AXIS}
          dataKey="at"
          type="number"
          domain={[from, to]}
          ticks={timeTicks(from, to, 4)}
          tickFormatter={formatTick}
          tickLine={false}
        />
        <YAxis
          {...AXIS}
          width="auto"
          domain={[0, "auto"]}
          tickCount={4}
          allowDecimals={!whole}
          tickFormatter={format}
          axisLine={false}
          tickLine={false}
        />
        <Tooltip
          content={({ active, payload }) => (
            <TrendTooltip
              row={active ? payload?.[0]?.payload : undefined}
              format={whole ? formatGpus : format}
            />
          )}
          cursor={{ stroke: "var(--color-ink-3)" }}
          isAnimationActive={false}
        />
        <Area
          dataKey="seam"
          type="stepAfter"
          fill="var(--color-l2-soft)"
          fillOpacity={1}
          stroke="none"
          activeDot={false}
          isAnimationActive={false}
        />
        {TREND_NAMES.map((name) => (
          <Line
            key={name}
            dataKey={name}
            type="stepAfter"
            {...TREND_LINES[name]}
            dot={false}
            activeDot={{ r: 3, strokeWidth: 0, fill: "var(--color-ink)" }}
            isAnimationActive={false}
          />
        ))}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
