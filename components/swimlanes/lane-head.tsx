import { Age } from "@/components/ui/age.tsx";
import { formatGpus } from "@/components/ui/format.ts";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import type { LaneView } from "@/lib/model/fleet-view.ts";

/** What a lane is, whose it is, what its failures look like, and how far its data can be trusted. */
export function LaneHead({ lane }: { lane: LaneView }) {
  return (
    <div
      className={`border-t border-line-soft py-2.5 pr-2.5 pl-4 ${lane.state === "live" ? "" : "hatched"}`}
      data-layer={lane.layer}
    >
      <h3 className="flex items-center gap-[7px] font-[620]">
        <LayerTag layer={lane.layer} tone="solid" />
        {lane.title}
      </h3>
      <p className="mt-[3px] text-[11.5px] leading-[1.35] text-ink-2">{lane.what}</p>
      <p className="text-[11.5px] leading-[1.35] text-ink-3">{lane.owner}</p>
      <p className="text-[11.5px] leading-[1.35] text-ink-3">fails as: {lane.failsAs}</p>
      {lane.state !== "live" && (
        <p className="mt-1 text-[11.5px] font-semibold text-warn">
          {lane.state.replace("-", " ")}
          {lane.asOf !== null && (
            <>
              , <Age since={lane.asOf} />
            </>
          )}
        </p>
      )}
      {lane.waiting !== null && lane.waiting.pods > 0 && (
        <a
          href="#stuck"
          title={`${lane.waiting.pods} GPU ${lane.waiting.pods === 1 ? "pod has" : "pods have"} no node`}
          className="mt-0.5 inline-block text-[11.5px] leading-6 font-semibold text-ink underline decoration-line underline-offset-2 hover:decoration-current"
        >
          {formatGpus(lane.waiting.gpus)} waiting
        </a>
      )}
    </div>
  );
}
