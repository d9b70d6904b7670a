/** The four layers of a GPU cluster, from the ground (what is paid for) up (what burns the GPUs). */
export type Layer = "L1" | "L2" | "L3" | "L4";

/** The layers in the order in which capacity flows: L1 first. */
export const LAYERS: readonly Layer[] = ["L1", "L2", "L3", "L4"];

/** Where one paid GPU is: every paid GPU lies in exactly one stage, the first that applies. */
export type Stage =
  | "broken-at-provider"
  | "not-launched"
  | "elsewhere"
  | "not-registered"
  | "not-ready"
  | "not-advertised"
  | "unhealthy"
  | "cordoned"
  | "stranded"
  | "held"
  | "free"
  | "not-working"
  | "working";

/** What is fixed about a stage. */
export interface StageInfo {
  readonly stage: Stage;
  /** The layer whose contract is broken when a GPU is in this stage. */
  readonly layer: Layer;
  /** True where the GPU counts as schedulable (above the seam). */
  readonly schedulable: boolean;
  /** One character that stands for one GPU of this stage in `Block.cells`. */
  readonly code: string;
  /** The stage in words, lower case, as a legend prints it. */
  readonly label: string;
}

/** The ledger's order: the first stage that applies wins. */
export const STAGES: readonly StageInfo[] = [
  { stage: "broken-at-provider", layer: "L1", schedulable: false, code: "B", label: "broken at provider" },
  { stage: "not-launched", layer: "L2", schedulable: false, code: "L", label: "not launched" },
  { stage: "elsewhere", layer: "L1", schedulable: false, code: "E", label: "elsewhere" },
  { stage: "not-registered", layer: "L2", schedulable: false, code: "G", label: "not registered" },
  { stage: "not-ready", layer: "L2", schedulable: false, code: "R", label: "not ready" },
  { stage: "not-advertised", layer: "L2", schedulable: false, code: "A", label: "not advertised" },
  { stage: "unhealthy", layer: "L2", schedulable: false, code: "U", label: "unhealthy" },
  { stage: "cordoned", layer: "L2", schedulable: false, code: "C", label: "cordoned" },
  { stage: "stranded", layer: "L3", schedulable: true, code: "S", label: "free, stranded" },
  { stage: "held", layer: "L3", schedulable: true, code: "H", label: "free, held" },
  { stage: "free", layer: "L3", schedulable: true, code: "F", label: "free" },
  { stage: "not-working", layer: "L4", schedulable: true, code: "N", label: "requested, not working" },
  { stage: "working", layer: "L4", schedulable: true, code: "W", label: "working" },
];

/** In `Block.cells`: a paid GPU whose stage cannot be told, since a source it needs was never read. */
export const UNKNOWN_CODE = "?";

const byStage = new Map(STAGES.map((info) => [info.stage, info]));
const byCode = new Map(STAGES.map((info) => [info.code, info]));

/** Everything fixed about `stage`. */
export function stageInfo(stage: Stage): StageInfo {
  const info = byStage.get(stage);
  if (!info) throw new Error(`unknown stage ${stage}`);
  return info;
}

/** The stage a cell's character stands for; undefined for `UNKNOWN_CODE` and anything else. */
export function stageOfCode(code: string): StageInfo | undefined {
  return byCode.get(code);
}

/** What a lane says of itself, and who owns it unless the user's configuration says otherwise. */
export interface LayerInfo {
  readonly layer: Layer;
  readonly title: string;
  /** What the layer is, in a few words. */
  readonly what: string;
  /** The team whose move it is by default. */
  readonly owner: string;
  /** What its failures look like from above. */
  readonly failsAs: string;
  /** The word for GPUs that get through this layer. */
  readonly through: string;
}

/** One entry a layer, L1 first. */
export const LAYER_INFO: Readonly<Record<Layer, LayerInfo>> = {
  L1: {
    layer: "L1",
    title: "Capacity supply",
    what: "What is paid for",
    owner: "capacity team",
    failsAs: "no capacity, quota, reservation idle or ended",
    through: "usable",
  },
  L2: {
    layer: "L2",
    title: "Provisioning",
    what: "Paid pool → Ready nodes",
    owner: "platform team",
    failsAs: "NotReady, launch stuck, GPU not advertised",
    through: "schedulable",
  },
  L3: {
    layer: "L3",
    title: "Scheduling",
    what: "Pods placed on nodes",
    owner: "scheduling team",
    failsAs: "Pending, “no node fits”",
    through: "placed",
  },
  L4: {
    layer: "L4",
    title: "Workload",
    what: "What burns the GPUs",
    owner: "workload owner",
    failsAs: "OOM, NCCL hang, crash loop, GPUs idle",
    through: "working",
  },
};
