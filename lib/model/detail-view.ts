import type { EvidenceView, HolderView, StuckView } from "./fleet-view.ts";
import type { ObjectRef } from "./snapshot.ts";
import type { Layer, Stage } from "./stages.ts";

/** `GET /api/nodes/NAME`: one node, for the drawer. Times are ISO 8601. */
export interface NodeDetailView {
  readonly name: string;
  readonly pool: string | null;
  readonly poolName: string | null;
  readonly instanceType: string | null;
  readonly zone: string | null;
  readonly providerId: string | null;
  readonly model: string | null;
  readonly createdAt: string | null;
  readonly ready: {
    readonly ready: boolean;
    readonly reason: string;
    readonly message: string;
    readonly since: string | null;
  };
  readonly blocked: { readonly by: string; readonly since: string | null } | null;
  readonly gpus: {
    readonly physical: number;
    /** The rule that gave `physical`, in words. */
    readonly physicalFrom: string;
    readonly advertised: number;
    readonly allocatable: number;
    readonly requested: number;
  };
  /** How it was joined to its reservation; null where it runs on none. */
  readonly matchedBy: string | null;
  /** The reservation that it ran in, or names, and that pays for it no more. */
  readonly past: { readonly id: string; readonly name: string; readonly until: string | null } | null;
  readonly stages: readonly { readonly stage: Stage; readonly layer: Layer; readonly gpus: number }[];
  readonly holders: readonly HolderView[];
  readonly conditions: readonly EvidenceView[];
  readonly taints: readonly string[];
  readonly resources: readonly {
    readonly name: string;
    readonly capacity: string | null;
    readonly allocatable: string | null;
    readonly requested: string;
  }[];
  readonly events: readonly EvidenceView[];
}

/** `GET /api/pods/NAMESPACE/NAME`: one pod, for the drawer. */
export interface PodDetailView {
  readonly namespace: string;
  readonly name: string;
  readonly phase: string;
  readonly node: string | null;
  readonly owner: ObjectRef | null;
  readonly createdAt: string | null;
  readonly gpus: number;
  readonly requests: readonly { readonly name: string; readonly amount: string }[];
  readonly containers: readonly {
    readonly name: string;
    readonly image: string;
    readonly state: string;
    readonly restarts: number;
  }[];
  readonly conditions: readonly EvidenceView[];
  readonly events: readonly EvidenceView[];
  /** Set while the pod is stuck. */
  readonly verdict: StuckView | null;
}

/** `GET /api/diagnosis?namespace=NS&name=NAME[&kind=KIND][&logs=true]`: the verdict on one object that is stuck. */
export interface DiagnosisView extends StuckView {
  /** What its containers have printed, which the verdict then rests on too; null where logs were not asked for. */
  readonly logs: readonly LogTailView[] | null;
}

/** The last lines of one container's log, secrets blanked out. */
export interface LogTailView {
  readonly container: string;
  /** True for the run before the current one. */
  readonly previous: boolean;
  readonly text: string;
  /** Why there is no text; null where it was read. */
  readonly problem: string | null;
}
