import type { FleetView } from "@/lib/model/fleet-view.ts";
import { Figures } from "./figures.tsx";
import { headline } from "./headline.ts";

/** The page's first answer: three figures and one sentence. */
export function Hero({ view }: { view: Pick<FleetView, "totals" | "losses"> }) {
  return (
    <section
      aria-label="Paid and schedulable"
      className="mb-3.5 grid items-end gap-x-9 gap-y-3 lg:grid-cols-[auto_minmax(0,1fr)]"
    >
      <Figures totals={view.totals} />
      <p className="text-ink-2 lg:max-w-[560px] lg:justify-self-end lg:text-right">
        {headline(view.totals, view.losses).map((phrase) =>
          phrase.strong ? (
            <b key={phrase.text} className="font-semibold text-ink">
              {phrase.text}
            </b>
          ) : (
            phrase.text
          ),
        )}
      </p>
    </section>
  );
}
