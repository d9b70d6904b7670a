import type { BlockView, FleetView, LaneView, LedgerView, LossView, PoolView } from "../model/fleet-view.ts";
import { API_VERSION } from "../model/fleet-view.ts";
import type { Figure } from "../model/money.ts";
import type { SourceState } from "../model/snapshot.ts";
import { LAYER_INFO, LAYERS, STAGES, stageInfo, stageOfCode, UNKNOWN_CODE } from "../model/stages.ts";

/** The moment at which the fixture is looked at. */
export const VIEW_NOW = Date.parse("2026-12-01T12:00:00Z");

/** What a pool of the fixture is made from; all its figures are counted from `blocks`. */
export interface PoolSpec {
  readonly name: string;
  readonly kind?: PoolView["kind"];
  readonly model?: string;
  readonly instanceType?: string;
  readonly place?: string;
  readonly provider?: string;
  /** Millionths of a dollar for one GPU for one hour; null where no price is known. */
  readonly micros?: number | null;
  /** Cells of each node, as in `BlockView.cells`; a block of `L` only is an empty slot. */
  readonly blocks: readonly string[];
  readonly waiting?: PoolView["waiting"];
}

/** `blocks` many times the same node. */
export const nodes = (count: number, cells: string): readonly string[] => Array(count).fill(cells);

/** A fleet in which every stage occurs, GPUs at the same sizes and prices as a mixed cloud fleet has. */
export const FLEET: readonly PoolSpec[] = [
  {
    name: "cr-0f3a",
    instanceType: "p5.48xlarge",
    model: "H100",
    place: "us-east-1a",
    provider: "aws",
    micros: 4_120_000,
    blocks: [...nodes(11, "WWWWWWWW"), "RRRRRRRR", "WWWWWWWU", "AAAAAAAA", "LLLLLLLL", "GGGGGGGG"],
    waiting: { pods: 3, gpus: 144 },
  },
  {
    name: "crg-nd",
    instanceType: "ND96isr_H100_v5",
    model: "H100",
    place: "eastus",
    provider: "azure",
    micros: 6_980_000,
    blocks: [...nodes(3, "WWWWWWWW"), "LLLLLLLL", "LLLLLLLL", "EEEEEEEE"],
  },
  {
    name: "res-train-a3",
    instanceType: "a3-megagpu-8g",
    model: "H100",
    place: "us-central1-b",
    provider: "gcp",
    micros: 3_660_000,
    blocks: [...nodes(8, "WWWWWWWW"), "WWWWFFFF", "CCCCCCCC", "CCCCCCCC", "BBBBBBBB"],
  },
  {
    name: "cb-91c2",
    instanceType: "p5en.48xlarge",
    model: "H200",
    place: "us-east-2b",
    provider: "aws",
    micros: 5_100_000,
    blocks: [...nodes(6, "WWWWWWWW"), "NNNNNNNN", "HHHHFFFF"],
  },
  {
    name: "on-demand",
    kind: "node-pool",
    instanceType: "g6e.12xlarge",
    model: "L40S",
    place: "us-east-1a",
    provider: "aws",
    micros: 2_620_000,
    blocks: [...nodes(7, "WWWW"), "SSSS", "SSSS", "FFFF"],
  },
  {
    name: "spot",
    kind: "node-pool",
    instanceType: "g2-standard-8",
    model: "L4",
    place: "us-central1-b",
    provider: "gcp",
    micros: null,
    blocks: [...nodes(18, "W"), ...nodes(6, "F")],
  },
];

/** A view whose figures all follow from `pools`. */
export function aFleetView(
  pools: readonly PoolSpec[] = FLEET,
  overrides: Partial<FleetView> = {},
): FleetView {
  const views = pools.map(poolView);
  return {
    apiVersion: API_VERSION,
    generatedAt: at(0),
    cluster: { name: "prod-train", kind: "cluster", server: "https://prod.example:6443" },
    sources: ["kubernetes/nodes", "kubernetes/pods", "kubernetes/events", "reservations/prod"].map((id) => ({
      id,
      kind: id.startsWith("kubernetes") ? ("kubernetes" as const) : ("reservations" as const),
      state: "live",
      asOf: at(0),
      error: null,
    })),
    counts: { nodes: 60, nodesWithoutAccelerators: 12, pods: 900, gpuPods: 120, systemPods: 300 },
    totals: ledger(
      pools.flatMap((pool) =>
        [...pool.blocks.join("")].map((code) => ({ code, micros: pool.micros ?? null })),
      ),
    ),
    pools: views,
    lanes: lanes(views, "live"),
    losses: views.flatMap(losses).sort((a, b) => (b.perHour[0]?.micros ?? 0) - (a.perHour[0]?.micros ?? 0)),
    stuck: [],
    findings: [],
    issues: [],
    ...overrides,
  };
}

/** ISO time `minutes` before the fixture's moment. */
export function at(minutes: number): string {
  return new Date(VIEW_NOW - minutes * 60_000).toISOString();
}

interface Gpu {
  readonly code: string;
  readonly micros: number | null;
}

/** `more`: GPUs that cannot be told may add to it. */
function figure(gpus: readonly Gpu[], more: boolean): Figure {
  if (more && gpus.length === 0) return { gpus: null, perHour: [], certainty: "?" };
  const micros = gpus.reduce((sum, gpu) => sum + (gpu.micros ?? 0), 0);
  const priced = gpus.filter((gpu) => gpu.micros !== null).length;
  return {
    gpus: gpus.length,
    perHour: priced === 0 ? [] : [{ currency: "USD", micros }],
    certainty: priced === gpus.length && !more ? "=" : priced === 0 ? "?" : "≥",
  };
}

function ledger(gpus: readonly Gpu[]): LedgerView {
  const untold = gpus.some((gpu) => gpu.code === UNKNOWN_CODE);
  const of = (test: (code: string) => boolean | undefined, more = untold) =>
    figure(
      gpus.filter((gpu) => test(gpu.code)),
      more,
    );
  return {
    paid: figure(gpus, false),
    schedulable: of((code) => stageOfCode(code)?.schedulable),
    seam: of((code) => stageOfCode(code)?.schedulable === false),
    working: of((code) => code === "W"),
    unknown: of((code) => code === UNKNOWN_CODE, false),
    stages: STAGES.map(({ stage, layer, code }) => ({
      ...of((each) => each === code),
      stage,
      layer,
      causes: [],
    })),
  };
}

function poolView(spec: PoolSpec): PoolView {
  const { kind = "reservation", micros = null, blocks } = spec;
  const rate = micros === null ? null : { currency: "USD", micros };
  const slots = blocks.filter((cells) => /^L+$/.test(cells)).length;
  return {
    ...ledger([...blocks.join("")].map((code) => ({ code, micros }))),
    id: `${kind}/${spec.name}`,
    name: spec.name,
    kind,
    provider: spec.provider ?? null,
    instanceTypes: spec.instanceType ? [spec.instanceType] : [],
    gpuModel: spec.model ?? null,
    zones: spec.place ? [spec.place] : [],
    capacityType: kind === "reservation" ? "reserved" : "on-demand",
    rate: { perGpuHour: rate, min: rate, max: rate, source: rate ? "contract" : "unknown", asOf: null },
    reservation:
      kind === "reservation"
        ? {
            id: spec.name,
            state: "active",
            rawState: null,
            billed: true,
            launchable: true,
            doc: null,
            market: "on-demand",
            matching: "targeted",
            region: null,
            zone: spec.place ?? null,
            account: null,
            start: at(43_200),
            end: null,
            usableUntil: null,
            nextChange: null,
            slots: blocks.length,
            launched: blocks.length - slots,
            used: null,
            free: slots,
            broken: 0,
            gpusPerInstance: blocks[0]?.length ?? 0,
            billing: "continuous",
            owner: null,
            matchedBy: ["label"],
          }
        : null,
    nodes: blocks.length - slots,
    blocks: blocks.map(
      (cells, index): BlockView =>
        /^L+$/.test(cells)
          ? { kind: "slot", name: String(index), cells }
          : { kind: "node", name: `${spec.name}-${index}`, cells },
    ),
    waiting: spec.waiting ?? { pods: 0, gpus: 0 },
  };
}

function lanes(pools: readonly PoolView[], state: SourceState): readonly LaneView[] {
  return LAYERS.map((layer): LaneView => {
    const perPool = pools.map((pool) => {
      const count = (test: (stage: (typeof STAGES)[number]) => boolean) =>
        pool.stages.reduce((sum, stage) => sum + (test(stageInfo(stage.stage)) ? (stage.gpus ?? 0) : 0), 0);
      const untold = pool.unknown.gpus ?? 0;
      const passes = (stage: (typeof STAGES)[number]) => stage.layer > layer || stage.stage === "working";
      return {
        pool: pool.id,
        through: count(passes) + (layer === "L1" ? untold : 0),
        lost: count((stage) => stage.layer === layer && stage.stage !== "working"),
        unknown: layer === "L1" ? 0 : untold,
      };
    });
    const sum = (key: "through" | "lost" | "unknown") =>
      perPool.reduce((total, pool) => total + pool[key], 0);
    const { title, what, owner, failsAs } = LAYER_INFO[layer];
    return {
      layer,
      title,
      what,
      owner,
      failsAs,
      state,
      asOf: at(0),
      reach: sum("through") + sum("lost"),
      through: sum("through"),
      lost: { gpus: sum("lost"), perHour: [], certainty: "=" },
      unknown: sum("unknown"),
      waiting: layer === "L3" ? { pods: 4, gpus: 160 } : null,
      pools: perPool,
    };
  });
}

function losses(pool: PoolView): readonly LossView[] {
  return pool.stages
    .filter((stage) => stage.gpus !== null && stage.gpus > 0 && stage.stage !== "working")
    .map((stage) => ({
      id: `${pool.id}/${stage.stage}`,
      pool: pool.id,
      poolName: pool.name,
      stage: stage.stage,
      layer: stage.layer,
      gpus: stage.gpus,
      perHour: stage.perHour,
      certainty: stage.certainty,
      seam: !stageInfo(stage.stage).schedulable,
      reason: "NodeNotReady",
      title: stageInfo(stage.stage).label,
      detail: "As the fixture has it.",
      owner: stage.layer === "L1" ? "provider" : LAYER_INFO[stage.layer].owner,
      contact: null,
      since: at(41),
      sinceSeen: false,
      objects: [],
      objectCount: 0,
    }));
}
