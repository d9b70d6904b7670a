import type { ReactNode } from "react";
import { certaintySign, formatMoney } from "@/components/ui/format.ts";
import type { Figure } from "@/lib/model/fleet-view.ts";
import { figureNotes } from "./figure-words.ts";

/** One figure of a page's first line: what an hour of it costs where that is known, and its GPUs. */
export function HeroFigure({
  name,
  figure,
  currencies,
  atLeast,
  share,
  className = "",
}: {
  name: string;
  figure: Figure;
  /** In which nothing is written as 0. */
  currencies: readonly string[];
  /** GPUs that cannot be told may add to it. */
  atLeast: boolean;
  /** Its part of what is paid. */
  share?: number | null;
  className?: string;
}) {
  return (
    <div>
      <dt className="mb-0.5 text-xs text-ink-2">{name}</dt>
      <dd
        className={`text-[30px] leading-[1.1] font-[620] tracking-[-0.025em] tabular-nums max-md:text-[23px] ${className}`}
      >
        <Amount figure={figure} currencies={currencies} atLeast={atLeast} />
      </dd>
      <dd className="mt-0.5 text-ink-2 tabular-nums">
        {figureNotes(figure, atLeast, share ?? null).join(" · ")}
      </dd>
    </div>
  );
}

/** `≥ $391/h`; several currencies one below the other; GPUs where nothing has a price, `?` where nothing is known. */
function Amount({
  figure,
  currencies,
  atLeast,
}: {
  figure: Figure;
  currencies: readonly string[];
  atLeast: boolean;
}) {
  const amounts =
    figure.perHour.length === 0 && figure.gpus === 0
      ? currencies.map((currency) => ({ currency, micros: 0 }))
      : figure.perHour;
  if (amounts.length === 0) {
    if (figure.gpus === null) return "?";
    return (
      <>
        {atLeast && "≥ "}
        {figure.gpus.toLocaleString("en-US")}
        <Unit> {figure.gpus === 1 ? "GPU" : "GPUs"}</Unit>
      </>
    );
  }
  return amounts.map((money) => (
    <span key={money.currency} className="block whitespace-nowrap">
      {certaintySign(figure.certainty)}
      {formatMoney(money)}
      <Unit>/h</Unit>
    </span>
  ));
}

function Unit({ children }: { children: ReactNode }) {
  return <span className="text-[0.55em] font-medium tracking-normal">{children}</span>;
}
