import type { TrendName } from "./trend-series.ts";

/** How each figure's line is drawn. Neutral, told apart by texture: colour means loss. */
export const TREND_LINES: Readonly<
  Record<
    TrendName,
    { readonly stroke: string; readonly strokeWidth: number; readonly strokeDasharray: string }
  >
> = {
  paid: { stroke: "var(--color-ink)", strokeWidth: 1.5, strokeDasharray: "1.5 3" },
  schedulable: { stroke: "var(--color-ink-2)", strokeWidth: 1.5, strokeDasharray: "6 3" },
  working: { stroke: "var(--color-ok)", strokeWidth: 2, strokeDasharray: "none" },
};

/** A short piece of a figure's line, for legends. */
export function LineSwatch({ name }: { name: TrendName }) {
  return (
    <svg width="18" height="8" aria-hidden="true" className="inline-block shrink-0">
      <line x1="0" x2="18" y1="4" y2="4" {...TREND_LINES[name]} />
    </svg>
  );
}
