import { formatCount } from "@/components/ui/format.ts";
import type { LanePoolView, LaneView } from "@/lib/model/fleet-view.ts";
import type { Layer } from "@/lib/model/stages.ts";

/** One pool's counts in each lane. */
export type LaneCounts = Readonly<Record<Layer, LanePoolView>>;

/** Finds a pool's counts in the lanes; a lane that does not name the pool tells nothing of its `paid` GPUs. */
export function laneCounts(
  lanes: readonly LaneView[],
): (pool: { readonly id: string; readonly paid: { readonly gpus: number | null } }) => LaneCounts {
  const byLane = new Map(
    lanes.map((lane) => [lane.layer, new Map(lane.pools.map((entry) => [entry.pool, entry]))]),
  );
  return ({ id, paid }) => {
    const untold = { pool: id, through: 0, lost: 0, unknown: paid.gpus ?? 0 };
    const of = (layer: Layer) => byLane.get(layer)?.get(id) ?? untold;
    return { L1: of("L1"), L2: of("L2"), L3: of("L3"), L4: of("L4") };
  };
}

/** The layers whose data is not live, joined by spaces: a plain string, so that it compares by value. */
export function notLive(lanes: readonly LaneView[]): string {
  return lanes
    .filter((lane) => lane.state !== "live")
    .map((lane) => lane.layer)
    .join(" ");
}

/** With GPUs that cannot be told the count is a lower bound, and none counted is no zero. */
export function throughText({ through, unknown }: LanePoolView): string {
  if (unknown === 0) return formatCount(through);
  return through === 0 ? "?" : `≥ ${formatCount(through)}`;
}
