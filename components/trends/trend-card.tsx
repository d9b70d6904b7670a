"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { formatCount, formatMoney } from "@/components/ui/format.ts";
import type { TrendView } from "@/lib/model/live-view.ts";
import { formatTick } from "./trend-axis.ts";
import { type TrendUnit, trendCurrencies, trendRows } from "./trend-series.ts";
import { TrendSummary } from "./trend-summary.tsx";

/** The chart library is most of the page's script, and nothing above needs it. */
const TrendChart = dynamic(() => import("./trend-chart.tsx"), { ssr: false });

/** Paid, schedulable and working since the process started, in GPUs or in one currency per hour. */
export function TrendCard({ trend }: { trend: TrendView | null }) {
  const [chosen, choose] = useState<TrendUnit>("gpus");
  const currencies = trend ? trendCurrencies(trend) : [];
  const unit = chosen === "gpus" || currencies.includes(chosen.currency) ? chosen : "gpus";
  const rows = trend ? trendRows(trend, unit) : [];
  const format = unit === "gpus" ? formatCount : moneyFormat(unit.currency);
  const unitName = unit === "gpus" ? "GPUs" : `${unit.currency} per hour`;
  return (
    <Card
      id="trend"
      title="Trend"
      note={trend ? `${unitName}, since ${minute(trend.since)} UTC` : "not read yet"}
      actions={<UnitPicker currencies={currencies} unit={unit} onChoose={choose} />}
    >
      {rows.length < 2 ? (
        <p className="px-4 pb-3 text-xs text-ink-2">First points in a moment.</p>
      ) : (
        <div className="grid gap-2 px-4 pb-3">
          <div
            role="img"
            aria-label={`Chart of paid, schedulable and working ${unitName}; its figures are in the table after it`}
            className="h-40"
          >
            <TrendChart rows={rows} whole={unit === "gpus"} format={format} />
          </div>
          <TrendSummary rows={rows} format={format} />
        </div>
      )}
    </Card>
  );
}

function UnitPicker({
  currencies,
  unit,
  onChoose,
}: {
  currencies: readonly string[];
  unit: TrendUnit;
  onChoose: (unit: TrendUnit) => void;
}) {
  if (currencies.length === 0) return null;
  const units: TrendUnit[] = ["gpus", ...currencies.map((currency) => ({ currency }))];
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Unit of the trend</legend>
      {units.map((each) => {
        const name = each === "gpus" ? "GPUs" : `${each.currency}/h`;
        const on = each === unit || (each !== "gpus" && unit !== "gpus" && each.currency === unit.currency);
        return (
          <Button key={name} tone={on ? "chosen" : "quiet"} aria-pressed={on} onClick={() => onChoose(each)}>
            {name}
          </Button>
        );
      })}
    </fieldset>
  );
}

function moneyFormat(currency: string): (amount: number) => string {
  return (amount) => `${formatMoney({ currency, micros: Math.round(amount * 1_000_000) })}/h`;
}

/** Epoch milliseconds as `12:03`, whatever the seconds. */
function minute(at: number): string {
  return formatTick(Math.floor(at / 60_000) * 60_000);
}
