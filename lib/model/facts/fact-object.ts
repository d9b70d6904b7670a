import type { Condition, ObjectRecord, OwnerReference } from "../kubernetes.ts";

/** What is kept of every object beside nodes, pods and events. */
export interface FactObject extends ObjectRecord {
  /** As the server gave it: `karpenter.sh/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for kinds without a namespace. */
  readonly namespace: string;
  readonly owner: OwnerReference | undefined;
  readonly conditions: readonly Condition[];
}
