import type { Figure } from "@/lib/model/money.ts";
import { formatMoney } from "./format.ts";

/** What an hour of some GPUs costs and how sure that is, one line a currency; `?` where no price is known, never 0. */
export function FigureCost({ figure }: { figure: Figure }) {
  const { perHour, certainty } = figure;
  if (perHour.length === 0) {
    const isNothing = certainty === "=";
    return (
      <p className="text-[15px] leading-snug font-[640]" title={isNothing ? undefined : "price unknown"}>
        {isNothing ? "0" : "?"}
        <PerHour />
      </p>
    );
  }
  return perHour.map((money) => (
    <p key={money.currency} className="text-[15px] leading-snug font-[640] tracking-tight whitespace-nowrap">
      {certainty !== "=" && <span title={BOUND[certainty]}>{certainty} </span>}
      {formatMoney(money)}
      <PerHour />
    </p>
  ));
}

const BOUND = { "≥": "at least", "≤": "at most", "?": "not sure" } as const;

function PerHour() {
  return <span className="text-[0.75em] font-[500]">/h</span>;
}
