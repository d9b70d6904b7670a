import { LineSwatch } from "./trend-lines.tsx";
import { TREND_NAMES, type TrendRow, trendRange } from "./trend-series.ts";

/** The trend in figures: current, least and largest value of each line. Legend of the chart and its words. */
export function TrendSummary({
  rows,
  format,
}: {
  rows: readonly TrendRow[];
  format: (amount: number) => string;
}) {
  return (
    <table className="w-full text-xs tabular-nums">
      <thead>
        <tr className="text-right text-2xs text-ink-3">
          <th scope="col" className="text-left font-normal">
            <span className="sr-only">Figure</span>
          </th>
          {["now", "least", "most"].map((column) => (
            <th key={column} scope="col" className="w-20 pl-2 font-normal">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {TREND_NAMES.map((name) => {
          const range = trendRange(rows, name);
          return (
            <tr key={name} className="text-right text-ink-2">
              <th scope="row" className="py-0.5 text-left font-normal">
                <span className="inline-flex items-center gap-2">
                  <LineSwatch name={name} />
                  {name}
                </span>
              </th>
              <td className="font-[600] text-ink">
                {range === undefined || range.now === null ? "?" : format(range.now)}
              </td>
              <td>{range ? format(range.min) : "?"}</td>
              <td>{range ? format(range.max) : "?"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
