import { Card } from "@/components/ui/card.tsx";
import type { FleetView } from "@/lib/model/fleet-view.ts";
import { emptyAbove, emptySeam } from "./empty-panel.ts";
import { LossList } from "./loss-list.tsx";

/** Where paid GPUs get lost: below the seam (never schedulable), and above it (schedulable, but not working). */
export function SeamPanel({ view }: { view: FleetView }) {
  const seam = view.losses.filter((loss) => loss.seam);
  const above = view.losses.filter((loss) => !loss.seam);
  return (
    <>
      <Card id="seam" title="The seam" note="paid, but not schedulable">
        <LossList losses={seam} empty={emptySeam(view.totals)} />
      </Card>
      <Card id="above-seam" title="Above the seam" note="schedulable, but not working">
        <LossList losses={above} empty={emptyAbove(view.totals)} />
      </Card>
    </>
  );
}
