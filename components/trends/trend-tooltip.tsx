import { formatTime } from "@/components/ui/format.ts";
import { LineSwatch } from "./trend-lines.tsx";
import { TREND_NAMES, type TrendRow } from "./trend-series.ts";

/** The figures at the moment under the pointer; nothing where there is none. */
export function TrendTooltip({
  row,
  format,
}: {
  row: TrendRow | undefined;
  format: (amount: number) => string;
}) {
  if (!row) return null;
  return (
    <div className="rounded-md border border-line bg-panel px-2.5 py-1.5 text-xs shadow-sm">
      <p className="mb-0.5 text-2xs text-ink-2">{formatTime(new Date(row.at).toISOString())}</p>
      {TREND_NAMES.map((name) => {
        const amount = row[name];
        return (
          <p key={name} className="flex items-center gap-2">
            <LineSwatch name={name} />
            <span className="text-ink-2">{name}</span>
            <span className="ml-auto pl-3 font-[560] tabular-nums">
              {amount === null ? "cannot be told" : format(amount)}
            </span>
          </p>
        );
      })}
    </div>
  );
}
