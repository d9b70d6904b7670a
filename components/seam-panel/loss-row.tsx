import { PricedRow } from "@/components/priced-row.tsx";
import { Age } from "@/components/ui/age.tsx";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import type { LossView } from "@/lib/model/fleet-view.ts";

/** One loss: what it costs, what is so, where, whose move it is, since when, and the objects behind it. */
export function LossRow({ loss }: { loss: LossView }) {
  return (
    <PricedRow of={loss} tag={<LayerTag layer={loss.layer} />} poolName={loss.poolName}>
      {" · "}
      {loss.sinceSeen && <span title="no object dates it: this long it has been seen">≥ </span>}
      <Age since={loss.since} />
    </PricedRow>
  );
}
