import { IssuesCard } from "@/components/issues/issues-card.tsx";
import { EndingNotices } from "@/components/notices/ending-notices.tsx";
import { EmptyNotice } from "@/components/notices/notices.tsx";
import { SeamPanel } from "@/components/seam-panel/seam-panel.tsx";
import { Hero } from "@/components/seam-strip/hero.tsx";
import { SeamStrip } from "@/components/seam-strip/seam-strip.tsx";
import { StuckList } from "@/components/stuck/stuck-list.tsx";
import { Swimlanes } from "@/components/swimlanes/swimlanes.tsx";
import { TrendCard } from "@/components/trends/trend-card.tsx";
import type { FleetView } from "@/lib/model/fleet-view.ts";
import type { TrendView } from "@/lib/model/live-view.ts";

/**
 * Figures first, then where each GPU is, then what is stuck; beside it what is lost, largest first.
 * `empty`: the cluster was read and has no accelerators.
 */
export function Overview({
  view,
  trend,
  empty,
}: {
  view: FleetView;
  trend: TrendView | null;
  empty: boolean;
}) {
  const drawable = view.pools.length > 0;
  return (
    <>
      {empty && <EmptyNotice view={view} />}
      <EndingNotices view={view} />
      {drawable && (
        <>
          <Hero view={view} />
          <SeamStrip totals={view.totals} />
        </>
      )}
      <div className="mt-4 grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_372px]">
        <div className="grid min-w-0 gap-4">
          {drawable && <Swimlanes view={view} />}
          {(drawable || view.stuck.length > 0) && <StuckList view={view} />}
        </div>
        <div className="grid min-w-0 items-start gap-4 md:max-xl:grid-cols-2">
          {drawable && <SeamPanel view={view} />}
          {drawable && <TrendCard trend={trend} />}
          <IssuesCard view={view} />
        </div>
      </div>
    </>
  );
}
