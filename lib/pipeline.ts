import { diagnose } from "./diagnosis/diagnose.ts";
import { groupVerdicts } from "./diagnosis/group-verdicts.ts";
import type { Verdict } from "./diagnosis/verdict.ts";
import { groupView } from "./diagnosis/verdict-view.ts";
import { buildFleet } from "./layers/build-fleet.ts";
import type { Fleet } from "./layers/fleet.ts";
import { gpusAsked } from "./layers/gpus-asked.ts";
import { type ReservationMemory, rememberReserved } from "./layers/past-reservation.ts";
import { API_VERSION, type CountsView, type FleetView, type SourceView } from "./model/fleet-view.ts";
import type { Snapshot, SourceStatus } from "./model/snapshot.ts";
import { type ClassifiedMember, classifyPool } from "./seam/classify.ts";
import { buildFindings } from "./seam/findings.ts";
import { foldIssues } from "./seam/fold-issues.ts";
import { buildLanes } from "./seam/lanes.ts";
import { buildLedger, isoOf } from "./seam/ledger.ts";
import { buildLosses, byCost } from "./seam/losses.ts";
import { buildPoolView } from "./seam/pool-view.ts";

const HOUR = 3_600_000;

/** The view with what it was made of, which the detail views are made of too. */
export interface Derived {
  readonly view: FleetView;
  readonly fleet: Fleet;
  /** Node name -> its GPUs by stage. */
  readonly nodes: ReadonlyMap<string, ClassifiedMember>;
  /** Where nodes were seen, for the next time. */
  readonly reserved: ReservationMemory;
  /** One for each stuck pod and object, not folded as in the view. */
  readonly verdicts: readonly Verdict[];
}

/**
 * The whole architecture in one function: what was read -> layers -> seam ledger -> diagnosis -> what the page shows.
 * Pure: the same snapshot, moment and memory give the same answer. `firstSeen`: when losses without a date of their
 * own were first seen, by `LossView.id`. `reserved`: the reservations in which nodes were seen before.
 * @throws Error only where the ledger does not add up, which no input may cause.
 */
export function derive(
  snapshot: Snapshot,
  now: number,
  firstSeen: ReadonlyMap<string, number> = new Map(),
  reserved: ReservationMemory = new Map(),
): Derived {
  const fleet = buildFleet(snapshot, now, reserved);
  const { owners, noticeHours } = snapshot;
  const pools = fleet.pools.map((pool) => {
    const members = classifyPool(pool, fleet);
    return { pool, members, entries: members.flatMap((member) => member.entries) };
  });
  const verdicts = diagnose(fleet, now);
  const unplaced = fleet.gpuPods.filter((pod) => pod.nodeName === undefined);
  const names = new Set(unplaced.map(({ namespace, name }) => `${namespace}/${name}`));
  const waits = verdicts.filter(
    ({ kind, layer, namespace, name }) =>
      kind === "Pod" && layer !== "L4" && names.has(`${namespace}/${name}`),
  );
  const morePaid =
    !snapshot.nodes.known ||
    !snapshot.reservations.known ||
    fleet.pools.some(({ reservation }) => reservation !== undefined && reservation.paidSlots === undefined);
  const everyEntry = pools.flatMap((pool) => pool.entries);
  const view: FleetView = {
    apiVersion: API_VERSION,
    generatedAt: new Date(now).toISOString(),
    cluster: { ...snapshot.cluster, server: snapshot.cluster.server ?? null },
    sources: snapshot.sources.map(sourceView),
    counts: countObjects(snapshot, fleet),
    totals: buildLedger(everyEntry, morePaid),
    pools: pools
      .map(({ pool, members }) => {
        const own = waits.filter((entry) => entry.pool === pool.id);
        const waiting = { pods: own.length, gpus: own.reduce((sum, entry) => sum + entry.gpus, 0) };
        return { ...buildPoolView(pool, members), waiting };
      })
      .sort((a, b) => byCost({ ...a.seam, id: a.id }, { ...b.seam, id: b.id })),
    lanes: buildLanes(
      pools.map(({ pool, entries }) => ({ pool: pool.id, entries })),
      snapshot.sources,
      {
        pods: unplaced.length,
        gpus: unplaced.reduce((sum, pod) => sum + gpusAsked(pod, snapshot.acceleratorNames), 0),
      },
      owners,
    ),
    losses: pools
      .flatMap(({ pool, entries }) => buildLosses(pool, entries, { firstSeen, owners }))
      .sort(byCost),
    stuck: groupVerdicts(verdicts).map((group) => groupView(group, owners)),
    findings: buildFindings(pools, { now, noticeMs: noticeHours * HOUR, owners }),
    issues: foldIssues([...snapshot.issues, ...fleet.issues]),
  };
  const nodes = new Map(
    pools.flatMap(({ members }) =>
      members.flatMap((member) =>
        member.member.kind === "node" ? [[member.member.node.record.name, member] as const] : [],
      ),
    ),
  );
  return { view, fleet, nodes, verdicts, reserved: rememberReserved(fleet, reserved, now) };
}

/** What the page shows of a snapshot at `now` (epoch milliseconds). */
export function deriveFleetView(snapshot: Snapshot, now: number): FleetView {
  return derive(snapshot, now).view;
}

function sourceView(source: SourceStatus): SourceView {
  return { ...source, asOf: isoOf(source.asOf), error: source.error ?? null };
}

function countObjects({ nodes, pods }: Snapshot, fleet: Fleet): CountsView {
  const bare = [...fleet.nodes.values()].filter((node) => node.poolId === undefined);
  return {
    nodes: nodes.known ? fleet.nodes.size : null,
    nodesWithoutAccelerators: nodes.known ? bare.length : null,
    pods: pods.known ? pods.items.length : null,
    gpuPods: pods.known ? fleet.gpuPods.length : null,
    systemPods: pods.known ? pods.items.filter((pod) => pod.system !== undefined).length : null,
  };
}
