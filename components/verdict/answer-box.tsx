import { Contact } from "@/components/ui/contact.tsx";
import { formatCount, formatGpus } from "@/components/ui/format.ts";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import type { StuckView } from "@/lib/model/fleet-view.ts";
import { LAYER_BOX } from "./layer-classes.ts";

/** The verdict in one box: layer and reason, one sentence, whose move it is and how sure that is. */
export function AnswerBox({ stuck }: { stuck: StuckView }) {
  return (
    <div className={`mt-3.5 rounded-lg border px-4 py-3 ${LAYER_BOX[stuck.layer]}`}>
      <p className="flex items-baseline gap-2 text-[15px] font-[640]">
        <LayerTag layer={stuck.layer} tone="solid" />
        {stuck.reason}
      </p>
      <p className="mt-1 break-words">{stuck.sentence}</p>
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        <span>
          whose move: <b className="font-[560] text-ink">{stuck.owner}</b>
          {stuck.contact !== null && <Contact contact={stuck.contact} />}
        </span>
        <span>
          sure: <b className="font-[560] text-ink">{stuck.certainty}</b>
          {stuck.certaintyWhy && ` — ${stuck.certaintyWhy}`}
        </span>
        <span className="tabular-nums">
          asks for: <b className="font-[560] text-ink">{formatGpus(stuck.gpus)}</b>
          {stuck.count > 1 && ` in ${formatCount(stuck.count)} pods`}
        </span>
        {stuck.gang && (
          <span className="tabular-nums">
            gang:{" "}
            <b className="font-[560] text-ink">
              {formatCount(stuck.gang.placed)} of {formatCount(stuck.gang.size)}
            </b>{" "}
            have a place
          </span>
        )}
      </p>
    </div>
  );
}
