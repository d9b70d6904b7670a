import type { FactKind } from "./fact-kind.ts";

/** Every kind that is read beside nodes, pods and events; a cluster need not have any of them. */
export const FACT_KINDS: readonly FactKind[] = [];
