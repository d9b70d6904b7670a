import { certaintySign, formatCount, formatGpus, formatMoney } from "@/components/ui/format.ts";
import type { Figure, PoolView } from "@/lib/model/fleet-view.ts";

/** Between L3 and L2: what is paid, what of it can be scheduled, what the rest costs. */
export function SeamCell({ pool }: { pool: PoolView }) {
  const { paid, schedulable, seam, unknown } = pool;
  const lost = seam.gpus !== null && seam.gpus > 0;
  const atLeast = unknown.gpus !== 0 && schedulable.gpus !== null ? "≥ " : "";
  return (
    <div className="flex min-w-0 flex-wrap content-center gap-x-1.5 overflow-hidden border-t-[1.5px] border-dashed border-l2 bg-l2-soft/55 py-1.5 pr-2 pl-3 text-xs whitespace-nowrap tabular-nums">
      <span className="sr-only">seam: paid to schedulable </span>
      <span className={lost ? "text-ink-2" : "text-ink-3"}>
        {formatCount(paid.gpus)} → {atLeast}
        {formatCount(schedulable.gpus)}
      </span>
      {lost && <b className="font-[640] text-l2">{lossText(seam)}</b>}
    </div>
  );
}

/** What the seam costs an hour; in GPUs where no price is known. */
function lossText(seam: Figure): string {
  if (seam.perHour.length === 0) return `−${formatGpus(seam.gpus)}`;
  return `${certaintySign(seam.certainty)}${seam.perHour.map((money) => `${formatMoney(money, { sign: "−" })}/h`).join(" ")}`;
}
