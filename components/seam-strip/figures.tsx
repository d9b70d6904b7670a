import type { LedgerView } from "@/lib/model/fleet-view.ts";
import { shareOf } from "./figure-words.ts";
import { HeroFigure } from "./hero-figure.tsx";

/** Paid, schedulable, in the seam: what an hour costs where prices are known, and GPUs. */
export function Figures({ totals }: { totals: LedgerView }) {
  const currencies = totals.paid.perHour.map((money) => money.currency);
  const bounded = totals.unknown.gpus !== 0;
  const lost = totals.seam.gpus !== null && totals.seam.gpus > 0;
  return (
    <dl className="flex flex-wrap gap-x-[34px] gap-y-3 max-md:justify-between max-md:gap-x-4">
      <HeroFigure
        name="Paid"
        figure={totals.paid}
        currencies={currencies}
        atLeast={totals.unknown.gpus === null}
      />
      <HeroFigure name="Schedulable" figure={totals.schedulable} currencies={currencies} atLeast={bounded} />
      <HeroFigure
        name="In the seam"
        figure={totals.seam}
        currencies={currencies}
        atLeast={bounded}
        share={shareOf(totals.seam, totals.paid)}
        className={lost ? "text-l2" : ""}
      />
    </dl>
  );
}
