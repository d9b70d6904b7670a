import { formatCount } from "@/components/ui/format.ts";
import { StageBar } from "@/components/ui/stage-bar.tsx";
import { StageSwatch } from "@/components/ui/stage-swatch.tsx";
import type { NodeDetailView } from "@/lib/model/detail-view.ts";
import { stageInfo } from "@/lib/model/stages.ts";

/** From the machine's GPUs to the requested ones in four steps, what each loses, and the stages they are in. */
export function GpuSteps({ gpus, stages }: Pick<NodeDetailView, "gpus" | "stages">) {
  const steps = [
    { name: "physical", count: gpus.physical, lost: 0 },
    { name: "advertised", count: gpus.advertised, lost: gpus.physical - gpus.advertised },
    { name: "allocatable", count: gpus.allocatable, lost: gpus.advertised - gpus.allocatable },
    { name: "requested", count: gpus.requested, lost: 0 },
  ];
  const drawn = [...stages].reverse();
  return (
    <>
      <ol className="grid grid-cols-4 gap-6">
        {steps.map(({ name, count, lost }, index) => (
          <li key={name} className="relative tabular-nums">
            {index > 0 && (
              <span aria-hidden="true" className="absolute top-0.5 -left-5 text-ink-3">
                →
              </span>
            )}
            <span className="text-[19px] leading-tight font-[620]">{formatCount(count)}</span>
            {lost > 0 && <b className="ml-1.5 text-xs font-[600] text-l2">−{formatCount(lost)}</b>}
            <span className="block text-xs text-ink-2">{name}</span>
          </li>
        ))}
      </ol>
      <p className="mt-1 text-xs text-ink-2">physical count from: {gpus.physicalFrom}</p>
      {drawn.length > 0 && (
        <>
          <div aria-hidden="true" className="mt-3 flex h-3.5 gap-px">
            {drawn.map(({ stage, gpus: count }) => (
              <StageBar
                key={stage}
                stage={stage}
                gpus={count}
                title={`${stageInfo(stage).label}: ${count}`}
              />
            ))}
          </div>
          <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
            {drawn.map(({ stage, gpus: count }) => (
              <li key={stage} className="flex items-center gap-1.5 tabular-nums">
                <StageSwatch stage={stage} />
                {stageInfo(stage).label} <b className="font-[600] text-ink">{formatCount(count)}</b>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
