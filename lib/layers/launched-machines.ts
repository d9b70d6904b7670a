import type { NodeClaimRecord } from "../model/facts/karpenter.ts";
import type { Condition, NodeRecord } from "../model/kubernetes.ts";
import { BARE_NODE } from "./bare-node.ts";
import { countNodeGpus } from "./node-gpus.ts";

/** A machine that runs and is paid for, and that has not become a node. */
export interface LaunchedMachine {
  readonly claim: NodeClaimRecord;
  /** The node that it should be, as far as its claim says, under the claim's name. */
  readonly node: NodeRecord;
  /** Of its type. */
  readonly gpus: number;
  readonly gpuModel: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
}

/**
 * Machines with accelerators that Karpenter has launched and that none of `nodes` is.
 * https://karpenter.sh/docs/concepts/nodeclaims/: Launched, then Registered when its node has joined.
 */
export function launchedMachines(
  claims: readonly NodeClaimRecord[],
  nodes: readonly NodeRecord[],
  acceleratorNames: readonly string[],
): LaunchedMachine[] {
  const ids = new Set(nodes.flatMap(({ providerId }) => providerId ?? []));
  const names = new Set(nodes.map(({ name }) => name));
  return claims.flatMap((claim): LaunchedMachine[] => {
    const { providerId, nodeName, name } = claim;
    if (providerId === undefined || ids.has(providerId)) return [];
    if (names.has(nodeName ?? name) || names.has(name)) return [];
    const launched = conditionOf(claim, "Launched");
    // One that had joined and has no node any more is on its way out, or its node was deleted by hand.
    if (launched?.status !== "True" || conditionOf(claim, "Registered")?.status === "True") return [];
    const node = nodeOf(claim, providerId);
    const { physical, model } = countNodeGpus(node, {}, undefined, acceleratorNames);
    const since = launched.lastTransitionTime ?? claim.createdAt;
    return physical === 0 ? [] : [{ claim, node, gpus: physical, gpuModel: model, since }];
  });
}

/** Machine of v1alpha5 puts its kind before its conditions. */
function conditionOf({ conditions }: NodeClaimRecord, type: string): Condition | undefined {
  return conditions.find((one) => one.type === type || one.type === `Machine${type}`);
}

/** Karpenter writes the labels of the node to be on its claim. */
function nodeOf(
  { name, uid, labels, createdAt, deletedAt }: NodeClaimRecord,
  providerId: string,
): NodeRecord {
  return { ...BARE_NODE, name, uid, labels, createdAt, deletedAt, providerId };
}
