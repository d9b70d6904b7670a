import type { StuckView } from "../model/fleet-view.ts";

const STEP = { state: "not-reached", detail: "" } as const;

/** An entry of the stuck list: one pod of namespace `ml` that waits for 8 GPUs that are busy. */
export function aStuck(name: string, overrides: Partial<StuckView> = {}): StuckView {
  return {
    id: `pod/ml/${name}`,
    kind: "Pod",
    namespace: "ml",
    name,
    layer: "L3",
    reason: "GpusBusy",
    certainty: "high",
    certaintyWhy: "",
    sentence: "Every H100 is held.",
    owner: "scheduling team",
    contact: null,
    gpus: 8,
    since: "2026-12-01T11:00:00.000Z",
    workload: null,
    pool: null,
    evidence: [],
    ladder: { L1: STEP, L2: STEP, L3: STEP, L4: STEP },
    considered: [],
    holders: [],
    next: [],
    blocksNext: [],
    count: 1,
    members: [],
    gang: null,
    isBlurred: false,
    ...overrides,
  };
}
