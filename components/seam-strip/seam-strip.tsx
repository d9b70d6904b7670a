import { formatCount, formatGpus, formatPerHour } from "@/components/ui/format.ts";
import { StageBar, UnknownBar } from "@/components/ui/stage-bar.tsx";
import { StageSwatch } from "@/components/ui/stage-swatch.tsx";
import type { LedgerView, StageView } from "@/lib/model/fleet-view.ts";
import { stageInfo } from "@/lib/model/stages.ts";
import { stageTitle, stripParts } from "./strip-parts.ts";

/** All paid GPUs as one bar: what can be scheduled, what is lost in the seam and in which stage. */
export function SeamStrip({ totals }: { totals: LedgerView }) {
  const parts = stripParts(totals);
  const unknown = totals.unknown.gpus ?? 0;
  const bound = totals.unknown.gpus === 0 ? "" : "≥ ";
  return (
    <section
      aria-labelledby="strip-title"
      className="rounded-lg border border-line bg-panel px-4 pt-3 pb-2.5"
    >
      <h2 id="strip-title" className="sr-only">
        All paid GPUs by stage
      </h2>
      <div className="flex gap-[1.5px]">
        <Group name="schedulable" bound={bound} gpus={totals.schedulable.gpus} stages={parts.schedulable} />
        <Group name="the seam" bound={bound} gpus={totals.seam.gpus} stages={parts.seam} lost />
        {unknown > 0 && <UnknownGroup gpus={unknown} />}
      </div>
      <ul className="mt-[9px] flex flex-wrap gap-x-[18px] gap-y-[5px] text-xs text-ink-2">
        {[...parts.schedulable, ...parts.seam].map((stage) => (
          <li key={stage.stage} className="whitespace-nowrap">
            <StageSwatch stage={stage.stage} /> {stageInfo(stage.stage).label}{" "}
            <b className="font-semibold text-ink tabular-nums">
              {bound}
              {formatCount(stage.gpus)}
            </b>{" "}
            <span className="text-ink-3 tabular-nums">
              {stage.certainty === "=" ? "" : "· "}
              {formatPerHour(stage)}
            </span>
          </li>
        ))}
        {unknown > 0 && (
          <li className="whitespace-nowrap">
            <span className="untold inline-block size-2.5 rounded-[2px] align-[-1px]" /> cannot be told{" "}
            <b className="font-semibold text-ink tabular-nums">{formatCount(unknown)}</b>{" "}
            <span className="text-ink-3 tabular-nums">{formatPerHour(totals.unknown)}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

/** One side of the seam: its name over a bracket over its part of the bar. */
function Group({
  name,
  bound,
  gpus,
  stages,
  lost = false,
}: {
  name: string;
  /** `≥ ` where GPUs that cannot be told may add to it. */
  bound: string;
  gpus: number | null;
  stages: readonly StageView[];
  lost?: boolean;
}) {
  if (gpus === 0 || stages.length === 0) return null;
  return (
    <div className="min-w-max basis-0" style={{ flexGrow: gpus ?? 1 }}>
      <p
        className={`text-[11.5px] leading-4 whitespace-nowrap tabular-nums ${lost ? "font-semibold text-l2" : "text-ink-2"}`}
      >
        {name} {bound}
        {formatCount(gpus)}
      </p>
      <div
        className={`mt-0.5 mb-[5px] h-1.5 rounded-t-[3px] border border-b-0 ${lost ? "border-l2" : "border-ink-3"}`}
      />
      <div className="flex h-[26px] gap-[1.5px]">
        {stages.map((stage) => (
          <StageBar key={stage.stage} stage={stage.stage} gpus={stage.gpus ?? 0} title={stageTitle(stage)} />
        ))}
      </div>
    </div>
  );
}

function UnknownGroup({ gpus }: { gpus: number }) {
  const title = `${formatGpus(gpus)} whose place cannot be told, since a source was not read`;
  return (
    <div className="min-w-max basis-0" style={{ flexGrow: gpus }}>
      <p className="text-[11.5px] leading-4 whitespace-nowrap text-ink-2 tabular-nums">
        cannot be told {formatCount(gpus)}
      </p>
      <div className="mt-0.5 mb-[5px] h-1.5 rounded-t-[3px] border border-b-0 border-dashed border-ink-3" />
      <div className="flex h-[26px]">
        <UnknownBar gpus={gpus} title={title} />
      </div>
    </div>
  );
}
