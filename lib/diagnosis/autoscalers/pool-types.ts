import type { Fleet } from "../../layers/fleet.ts";
import { instanceTypeOf } from "../../layers/node-labels.ts";
import type { NodePoolRecord } from "../../model/facts/karpenter.ts";
import { INSTANCE_TYPES, shortModel } from "../../model/instance-types.ts";
import type { Labels, NodeRecord, Resources } from "../../model/kubernetes.ts";
import { perFleet } from "../per-fleet.ts";
import { labelOf } from "../placement/node-selection.ts";
import { vendorOf } from "../placement/vendor.ts";
import { selects } from "./requirements-meet.ts";
import { labelsOfType } from "./type-labels.ts";

/** An instance type with accelerators that a pool may launch. */
export interface PoolType {
  readonly name: string;
  /** Labels that a node of it has, as far as they are known. */
  readonly labels: Labels;
  /** Prefix of its devices' resource names (`nvidia.com`); undefined where nobody knows. */
  readonly vendor: string | undefined;
  readonly gpus: number | undefined;
  readonly model: string | undefined;
  /** What the best node of it in the cluster offers; undefined where there is none. */
  readonly seen: Resources | undefined;
  /** False for a name of which nothing is known. */
  readonly sure: boolean;
}

/**
 * The instance types that keep to a pool's requirements: those of the table, those of its own nodes, and those that only
 * it names.
 */
export function poolTypes(pool: NodePoolRecord, fleet: Fleet): readonly PoolType[] {
  const types = typesByPool(fleet);
  const known = types.get(pool);
  if (known) return known;
  const found = workOut(pool, fleet);
  types.set(pool, found);
  return found;
}

const typesByPool = perFleet(() => new Map<NodePoolRecord, readonly PoolType[]>());

function workOut(pool: NodePoolRecord, fleet: Fleet): readonly PoolType[] {
  const seen = allocatableByType(fleet);
  const provider = providerOf(pool);
  const table = TABLE.filter((type) => provider === undefined || type.provider === provider);
  const names = new Set(table.map(({ name }) => name));
  const ofNodes = (nodesByPool(fleet).get(pool.name) ?? []).flatMap((node) => {
    const type = typeOfNode(node);
    return type && !names.has(type.name) ? [type] : [];
  });
  for (const { name } of ofNodes) names.add(name);
  const named = pool.requirements
    .filter(({ key, operator }) => TYPE_KEYS.includes(key) && operator === "In")
    .flatMap(({ values }) => values)
    .filter((name) => !names.has(name) && isAccelerated(name));
  return [
    // Of an unknown provider nobody knows which machines it has.
    ...table.map((type) => ({ ...type, sure: provider !== undefined })),
    ...new Map(ofNodes.map((type) => [type.name, type])).values(),
    ...named.map((name) => ({ ...NOTHING_KNOWN, name, labels: { [TYPE_KEYS[0] ?? ""]: name } })),
  ]
    .filter(({ labels }) => mayLaunch(pool, labels))
    .map((type) => ({ ...type, seen: seen.get(type.name) }));
}

/** Whether a pool's requirements admit a machine of these labels; those that are not there may have any value. */
export function mayLaunch({ requirements }: NodePoolRecord, labels: Labels): boolean {
  return requirements.every((one) => {
    const value = labelOf(labels, one.key);
    return value === undefined || selects(one, value);
  });
}

/** The label that every node of a pool has with the pool's name. https://karpenter.sh/docs/concepts/scheduling/#well-known-labels */
export function poolLabel({ kind }: NodePoolRecord): string {
  return kind === "Provisioner" ? "karpenter.sh/provisioner-name" : "karpenter.sh/nodepool";
}

const TYPE_KEYS = ["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"];

const NOTHING_KNOWN = { vendor: undefined, gpus: undefined, model: undefined, sure: false };

const TABLE = INSTANCE_TYPES.map((type) => ({
  name: type.instanceType,
  provider: type.provider,
  labels: labelsOfType(type),
  vendor: vendorOf(type.gpuModel) ?? vendorOf(shortModel(type.gpuModel)) ?? "",
  gpus: type.gpus,
  model: type.gpuModel,
}));

const PROVIDERS: readonly (readonly [group: RegExp, provider: string])[] = [
  [/aws|amazon/, "aws"],
  [/azure/, "azure"],
  [/gcp|gke|google/, "gcp"],
  [/oracle|oci/, "oci"],
];

/** undefined where any provider's types may be meant. */
export function providerOf({ nodeClass }: NodePoolRecord): string | undefined {
  const text = `${nodeClass?.group} ${nodeClass?.kind}`.toLowerCase();
  return PROVIDERS.find(([group]) => group.test(text))?.[1];
}

/** A name by which a cloud calls machines with accelerators, though this one is not in the table. */
function isAccelerated(name: string): boolean {
  return /^(g|p|inf|trn|dl|gr)\d[\w-]*\.|^Standard_N[CDGV]|^(a|g)\d[a-z]?-|^ct\d|GPU|^gpu/.test(name);
}

const nodesByPool = perFleet((fleet) =>
  Map.groupBy(
    [...fleet.nodes.values()].filter(({ gpus }) => gpus.physical > 0).map(({ record }) => record),
    ({ labels }) => labels["karpenter.sh/nodepool"] ?? labels["karpenter.sh/provisioner-name"],
  ),
);

/** What another machine such as this one would be like: its place is its own. */
function typeOfNode(node: NodeRecord): Omit<PoolType, "seen"> | undefined {
  const name = instanceTypeOf(node);
  if (name === undefined) return undefined;
  const labels = Object.entries(node.labels).filter(([key]) => !OWN_PLACE.test(key));
  return { ...NOTHING_KNOWN, name, labels: Object.fromEntries(labels), sure: true };
}

const OWN_PLACE = /^kubernetes\.io\/hostname$|topology|failure-domain|^karpenter\.sh\/capacity-type$/;

/** Instance type -> what the best node of it offers. */
const allocatableByType = perFleet((fleet): ReadonlyMap<string, Resources> => {
  const best = new Map<string, Record<string, number>>();
  for (const { record, readiness } of fleet.nodes.values()) {
    const type = instanceTypeOf(record);
    if (type === undefined || !record.allocatable || !readiness.ready) continue;
    const sum = best.get(type) ?? {};
    for (const [resource, amount] of Object.entries(record.allocatable)) {
      // A node that advertises no device says nothing of what the machine has.
      if (amount > 0) sum[resource] = Math.max(sum[resource] ?? 0, amount);
    }
    best.set(type, sum);
  }
  return best;
});
