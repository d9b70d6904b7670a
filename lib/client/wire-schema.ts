import { z } from "zod";
import { API_VERSION, FINDING_KINDS, type FleetView } from "../model/fleet-view.ts";
import type { DemoView, TrendView } from "../model/live-view.ts";
import { REASONS, type Reason } from "../model/reasons.ts";
import { LAYERS, STAGES } from "../model/stages.ts";

/**
 * The frames of `GET /api/stream` as the browser accepts them. Each schema is annotated with the type that it stands
 * for, so that a change of the wire that is not made here does not compile. Unknown further fields are dropped.
 */

const text = z.string();
const time = z.string();
const count = z.int().nonnegative();
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable();

const layer = z.enum(LAYERS);
const stage = z.enum(STAGES.map((info) => info.stage));
const reason = z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]);
const sourceState = z.enum([
  "live",
  "stale",
  "unreachable",
  "forbidden",
  "absent",
  "loading",
  "not-configured",
]);

const money = z.object({ currency: text, micros: z.int() });
const figure = z.object({
  gpus: orNull(count),
  perHour: z.array(money),
  certainty: z.enum(["=", "≥", "≤", "?"]),
});
const objectRef = z.object({ kind: text, namespace: text.exactOptional(), name: text });
const unplaced = z.object({ pods: count, gpus: count });

const cause = z.object({
  reason: text,
  gpus: count,
  detail: text,
  since: orNull(time),
  objects: z.array(objectRef),
  objectCount: count,
});

const ledger = {
  paid: figure,
  schedulable: figure,
  seam: figure,
  working: figure,
  unknown: figure,
  stages: z.array(figure.extend({ stage, layer, causes: z.array(cause) })),
};

const pool = z.object({
  ...ledger,
  id: text,
  name: text,
  kind: z.enum(["reservation", "node-pool", "instance-type"]),
  provider: orNull(text),
  instanceTypes: z.array(text),
  gpuModel: orNull(text),
  zones: z.array(text),
  capacityType: z.enum(["reserved", "on-demand", "spot", "mixed", "unknown"]),
  rate: z.object({
    perGpuHour: orNull(money),
    min: orNull(money),
    max: orNull(money),
    source: z.enum(["contract", "provider", "fee", "list", "mixed", "unknown"]),
    asOf: orNull(text),
  }),
  reservation: orNull(
    z.object({
      id: text,
      state: z.enum(["scheduled", "active", "ended", "failed", "unknown"]),
      rawState: orNull(text),
      billed: orNull(z.boolean()),
      launchable: orNull(z.boolean()),
      doc: orNull(text),
      market: z.enum(["on-demand", "block", "future", "unknown"]),
      matching: orNull(z.enum(["open", "targeted"])),
      region: orNull(text),
      zone: orNull(text),
      account: orNull(text),
      start: orNull(time),
      end: orNull(time),
      usableUntil: orNull(time),
      nextChange: orNull(z.object({ at: time, what: text })),
      slots: count,
      launched: count,
      used: orNull(count),
      free: count,
      broken: count,
      gpusPerInstance: count,
      billing: z.enum(["continuous", "upfront", "none"]),
      owner: orNull(text),
      matchedBy: z.array(text),
    }),
  ),
  nodes: count,
  blocks: orNull(z.array(z.object({ kind: z.enum(["node", "slot"]), name: text, cells: text }))),
  waiting: unplaced,
});

const lane = z.object({
  layer,
  title: text,
  what: text,
  owner: text,
  failsAs: text,
  state: sourceState,
  asOf: orNull(time),
  reach: count,
  through: count,
  lost: figure,
  unknown: count,
  waiting: orNull(unplaced),
  pools: z.array(z.object({ pool: text, through: count, lost: count, unknown: count })),
});

const loss = figure.extend({
  id: text,
  pool: text,
  poolName: text,
  stage,
  layer,
  seam: z.boolean(),
  reason: text,
  title: text,
  detail: text,
  owner: text,
  contact: orNull(text),
  since: orNull(time),
  sinceSeen: z.boolean(),
  objects: z.array(objectRef),
  objectCount: count,
});

const finding = figure.extend({
  id: text,
  kind: z.enum(FINDING_KINDS),
  reservation: text,
  pool: text,
  since: orNull(time),
  until: orNull(time),
  title: text,
  detail: text,
  owner: text,
  contact: orNull(text),
  objects: z.array(objectRef),
  objectCount: count,
});

const ladderStep = z.object({ state: z.enum(["ok", "broken", "not-reached", "unknown"]), detail: text });

/** An entry of the stuck list as the browser accepts it. */
export const stuckShape = z.object({
  id: text,
  kind: text,
  namespace: text,
  name: text,
  layer,
  reason,
  certainty: z.enum(["high", "medium", "low"]),
  certaintyWhy: text,
  sentence: text,
  owner: text,
  contact: orNull(text),
  gpus: count,
  since: orNull(time),
  workload: orNull(objectRef),
  pool: orNull(text),
  evidence: z.array(z.object({ object: objectRef, field: orNull(text), value: text, at: orNull(time) })),
  ladder: z.object({ L1: ladderStep, L2: ladderStep, L3: ladderStep, L4: ladderStep }),
  considered: z.array(
    z.object({
      nodes: z.array(text),
      nodeCount: count,
      pool: orNull(text),
      gpusFree: count,
      gpusTotal: count,
      layer,
      why: text,
    }),
  ),
  holders: z.array(z.object({ namespace: text, name: text, node: text, gpus: count })),
  next: z.array(text),
  blocksNext: z.array(z.object({ layer, reason, step: text })),
  count: z.int().positive(),
  members: z.array(objectRef),
  gang: z.object({ placed: z.int(), size: z.int() }).nullable(),
  isBlurred: z.boolean(),
});

/** Event `view`. */
export const fleetViewSchema: z.ZodType<FleetView> = z.object({
  apiVersion: z.literal(API_VERSION),
  generatedAt: time,
  cluster: z.object({
    name: text,
    kind: z.enum(["cluster", "demo", "snapshot"]),
    server: orNull(text),
  }),
  sources: z.array(
    z.object({
      id: text,
      kind: z.enum(["kubernetes", "reservations", "prometheus"]),
      state: sourceState,
      asOf: orNull(time),
      error: orNull(
        z.object({
          code: z.enum([
            "unreachable",
            "unauthorized",
            "forbidden",
            "expired",
            "invalid",
            "rate-limited",
            "absent",
          ]),
          message: text,
          hint: text,
        }),
      ),
    }),
  ),
  counts: z.object({
    nodes: orNull(count),
    nodesWithoutAccelerators: orNull(count),
    pods: orNull(count),
    gpuPods: orNull(count),
    systemPods: orNull(count),
  }),
  totals: z.object(ledger),
  pools: z.array(pool),
  lanes: z.array(lane),
  losses: z.array(loss),
  stuck: z.array(stuckShape),
  findings: z.array(finding),
  issues: z.array(
    z.object({
      code: text,
      severity: z.enum(["error", "warning", "info"]),
      message: text,
      object: orNull(objectRef),
      source: orNull(text),
      count,
    }),
  ),
});

const trendFigure = z.object({ gpus: orNull(count), perHour: z.array(money) });

/** Event `trend`. */
export const trendViewSchema: z.ZodType<TrendView> = z.object({
  since: z.number(),
  interval: z.number(),
  points: z.array(
    z.object({ at: z.number(), paid: trendFigure, schedulable: trendFigure, working: trendFigure }),
  ),
});

/** Event `demo`. */
export const demoViewSchema: z.ZodType<DemoView | null> = orNull(
  z.object({
    scenario: text,
    title: text,
    scenarios: z.array(text),
    steps: z.array(z.object({ title: text, text })),
    step: count,
    playing: z.boolean(),
    loops: z.boolean(),
    server: text,
  }),
);
