import type { FleetView } from "@/lib/model/fleet-view.ts";
import { announcedPools } from "./announced-pools.ts";
import { CalendarCard } from "./calendar-card.tsx";
import { capacityRows } from "./capacity-row.ts";
import { CapacitySummary } from "./capacity-summary.tsx";
import { EmptyCapacityNotice } from "./empty-capacity-notice.tsx";
import { FindingsCard } from "./findings-card.tsx";
import { ReservationsCard } from "./reservations-card.tsx";

/** Figures first, then what is there when and what to look at, then every reservation. */
export function Capacity({ view }: { view: FleetView }) {
  const rows = capacityRows(view.pools);
  const announced = announcedPools(view.findings);
  if (rows.length === 0) {
    return (
      <>
        <EmptyCapacityNotice sources={view.sources} />
        {view.findings.length > 0 && <FindingsCard view={view} />}
      </>
    );
  }
  return (
    <>
      <CapacitySummary rows={rows} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_400px]">
        <CalendarCard rows={rows} announced={announced} />
        <FindingsCard view={view} />
      </div>
      <ReservationsCard rows={rows} announced={announced} asOf={view.generatedAt} />
    </>
  );
}
