import { announcedPools } from "@/components/capacity/announced-pools.ts";
import { Card } from "@/components/ui/card.tsx";
import type { FleetView, LaneView } from "@/lib/model/fleet-view.ts";
import type { Layer } from "@/lib/model/stages.ts";
import { laneCounts, notLive } from "./lane-counts.ts";
import { LaneHead } from "./lane-head.tsx";
import { layoutLanes } from "./lane-layout.ts";
import { PoolColumn } from "./pool-column.tsx";
import { PoolRows } from "./pool-rows.tsx";
import { SquareDefs } from "./square-defs.tsx";

const HEAD_COLUMN = 160;

/** The four lanes over all pools: a column read upwards shows where its GPUs get lost. */
export function Swimlanes({ view }: { view: Pick<FleetView, "pools" | "lanes" | "findings"> }) {
  const { columns, square } = layoutLanes(view.pools);
  const countsOf = laneCounts(view.lanes);
  const hatched = notLive(view.lanes);
  const announced = announcedPools(view.findings);
  const widths = columns.map((column) => `minmax(${column.least}px, ${column.weight}fr)`);
  return (
    <Card
      id="fleet"
      title="Fleet"
      note={`${poolCount(columns.length)} · one square is one GPU in the same place on every lane: read a column upwards to see where it gets lost`}
      className="overflow-hidden"
    >
      <SquareDefs square={square} />
      <div className="scroll-edges relative overflow-x-auto max-md:hidden">
        <div
          className="grid grid-rows-[repeat(6,auto)]"
          style={{
            gridTemplateColumns: [`${HEAD_COLUMN}px`, ...widths].join(" "),
            minWidth: columns.reduce((sum, column) => sum + column.least, HEAD_COLUMN),
          }}
        >
          <LaneHeads lanes={view.lanes} />
          {columns.map(({ pool, drawn }) => (
            <PoolColumn
              key={pool.id}
              pool={pool}
              drawn={drawn}
              square={square}
              counts={countsOf(pool)}
              hatched={hatched}
              isAnnounced={announced.has(pool.id)}
            />
          ))}
        </div>
      </div>
      <PoolRows pools={view.pools} countsOf={countsOf} hatched={hatched} announced={announced} />
    </Card>
  );
}

function poolCount(pools: number): string {
  return pools === 1 ? "1 pool" : `${pools} pools, largest seam first`;
}

/** Stays in sight while the columns scroll sideways. */
function LaneHeads({ lanes }: { lanes: readonly LaneView[] }) {
  const head = (layer: Layer) => {
    const lane = lanes.find((each) => each.layer === layer);
    return lane ? <LaneHead lane={lane} /> : <div className="border-t border-line-soft" />;
  };
  return (
    <div className="sticky left-0 z-10 row-span-6 grid grid-rows-subgrid border-r border-line-soft bg-panel">
      <div />
      {head("L4")}
      {head("L3")}
      <p className="flex items-center border-t-[1.5px] border-dashed border-l2 bg-l2-soft/55 py-1.5 pl-4 text-xs font-[640] text-l2">
        the seam
      </p>
      {head("L2")}
      {head("L1")}
    </div>
  );
}
