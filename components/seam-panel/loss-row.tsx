import { Age } from "@/components/ui/age.tsx";
import { FigureCost } from "@/components/ui/figure-cost.tsx";
import { formatGpus } from "@/components/ui/format.ts";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import { LinkedText } from "@/components/verdict/linked-text.tsx";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import type { LossView } from "@/lib/model/fleet-view.ts";

/** One loss: what it costs, what is so, where, whose move it is, since when, and the objects behind it. */
export function LossRow({ loss }: { loss: LossView }) {
  return (
    <li className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 border-t border-line-soft px-4 py-2.5">
      <div className="text-right tabular-nums">
        <FigureCost figure={loss} />
        <p className="text-2xs text-ink-2">{formatGpus(loss.gpus)}</p>
      </div>
      <div className="min-w-0">
        <h3 className="font-[560]">
          <LayerTag layer={loss.layer} /> {loss.title}
        </h3>
        <p className="text-xs wrap-anywhere text-ink-2">
          <LinkedText
            text={loss.detail}
            objects={loss.objects}
            objectCount={loss.objectCount}
            more={{ kind: "pool", id: loss.pool }}
          />
        </p>
        <p className="text-xs break-words text-ink-3">
          <SelectionLink to={{ kind: "pool", id: loss.pool }} className="underline decoration-line">
            {loss.poolName}
          </SelectionLink>
          {` · ${loss.owner} · `}
          {loss.sinceSeen && <span title="no object dates it: this long it has been seen">≥ </span>}
          <Age since={loss.since} />
        </p>
      </div>
    </li>
  );
}
