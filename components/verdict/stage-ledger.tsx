import { Age } from "@/components/ui/age.tsx";
import { formatCount, formatGpus, formatPerHour } from "@/components/ui/format.ts";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import { StageSwatch } from "@/components/ui/stage-swatch.tsx";
import type { CauseView, Figure, LedgerView, StageView } from "@/lib/model/fleet-view.ts";
import { stageInfo } from "@/lib/model/stages.ts";
import { LinkedText } from "./linked-text.tsx";

/** All stages of a ledger with their causes, working on top, the seam where it lies. Their sum is what is paid. */
export function StageLedger({ ledger }: { ledger: LedgerView }) {
  const stages = [...ledger.stages].reverse();
  const above = stages.filter(({ stage }) => stageInfo(stage).schedulable);
  const below = stages.filter(({ stage }) => !stageInfo(stage).schedulable);
  return (
    <table className="w-full tabular-nums">
      <thead className="text-xs text-ink-3">
        <tr>
          <th scope="col" className="pb-1 text-left font-[500]">
            stage
          </th>
          <th scope="col" className="pb-1 text-right font-[500]">
            GPUs
          </th>
          <th scope="col" className="w-24 pb-1 text-right font-[500]">
            per hour
          </th>
        </tr>
      </thead>
      <tbody>
        {above.map((stage) => (
          <StageRow key={stage.stage} stage={stage} />
        ))}
      </tbody>
      <tbody>
        <SumRow
          name="the seam"
          figure={ledger.seam}
          className="border-t-[1.5px] border-dashed border-l2 bg-l2-soft/55 text-l2"
        />
        {below.map((stage) => (
          <StageRow key={stage.stage} stage={stage} />
        ))}
      </tbody>
      <tbody>
        {ledger.unknown.gpus !== 0 && (
          <SumRow name="cannot be told" figure={ledger.unknown} className="border-t border-line-soft" />
        )}
        <SumRow name="paid" figure={ledger.paid} className="border-t border-ink-3" />
      </tbody>
    </table>
  );
}

function StageRow({ stage }: { stage: StageView }) {
  const { label } = stageInfo(stage.stage);
  const none = stage.gpus === 0;
  return (
    <tr className={`border-t border-line-soft align-top ${none ? "text-ink-3" : ""}`}>
      <th scope="row" className="py-1.5 pr-2 text-left font-normal">
        <span className="flex items-center gap-2">
          <StageSwatch stage={stage.stage} />
          {label}
          {!none && stage.stage !== "working" && <LayerTag layer={stage.layer} />}
        </span>
        {stage.causes.map((cause) => (
          <Cause key={cause.reason} cause={cause} />
        ))}
      </th>
      <td className="py-1.5 text-right font-[600]">{formatCount(stage.gpus)}</td>
      <td className="py-1.5 text-right text-xs leading-[1.6] text-ink-2">
        {none ? "–" : formatPerHour(stage)}
      </td>
    </tr>
  );
}

function Cause({ cause }: { cause: CauseView }) {
  const { gpus, detail, since, objects, objectCount } = cause;
  return (
    <span className="mt-0.5 block pl-[18px] text-xs wrap-anywhere text-ink-2">
      {formatGpus(gpus)}: <LinkedText text={detail} objects={objects} objectCount={objectCount} />
      {since !== null && (
        <>
          {" · "}
          <Age since={since} />
        </>
      )}
    </span>
  );
}

function SumRow({ name, figure, className }: { name: string; figure: Figure; className: string }) {
  return (
    <tr className={className}>
      <th scope="row" className="py-1.5 pl-[18px] text-left font-[600]">
        {name}
      </th>
      <td className="py-1.5 text-right font-[640]">{formatCount(figure.gpus)}</td>
      <td className="py-1.5 text-right text-xs">{formatPerHour(figure)}</td>
    </tr>
  );
}
