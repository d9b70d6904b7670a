import type { FleetNode } from "../../layers/fleet.ts";
import { gpusAsked } from "../../layers/gpus-asked.ts";
import { acceleratorRequests, acceleratorUnit } from "../../model/accelerators.ts";
import type { NodeRecord, PodRecord } from "../../model/kubernetes.ts";
import { oncePer } from "../../model/once-per.ts";
import { vendorOf } from "./vendor.ts";

/** What is to know of one node, whatever pod looks at it. */
export interface NodeFacts {
  readonly node: FleetNode;
  /** Accelerator resources that it advertises, with an amount above zero. */
  readonly advertises: readonly string[];
  /** Accelerator resource -> units that its bound pods request. */
  readonly held: Readonly<Record<string, number>>;
  /** Its bound pods that request accelerators, with the whole devices that each holds. */
  readonly holders: readonly Holder[];
  /** Prefix of the resource names of its devices (`nvidia.com`); undefined where nothing says. */
  readonly vendor: string | undefined;
  /** A label that says that the machine has accelerators, or a resource that it no longer has; undefined: neither. */
  readonly hint: string | undefined;
}

/** A pod and how many devices it holds. */
export interface Holder {
  readonly pod: PodRecord;
  readonly devices: number;
}

/** `extra`: accelerator names from the configuration. */
export function factsOfNode(node: FleetNode, extra: readonly string[]): NodeFacts {
  const advertises = Object.entries(node.record.capacity ?? {})
    .filter(([resource, amount]) => amount > 0 && acceleratorUnit(resource, extra) !== undefined)
    .map(([resource]) => resource);
  const hint = acceleratorLabel(node.record) ?? emptyResource(node.record, extra);
  const named = advertises[0]?.split("/")[0];
  return {
    node,
    advertises,
    held: heldBy(node.pods, extra),
    holders: node.pods.flatMap((pod) => {
      const devices = gpusAsked(pod, extra);
      return devices > 0 ? [{ pod, devices }] : [];
    }),
    vendor: named ?? vendorOf(node.gpus.model ?? "") ?? vendorOf(hint ?? ""),
    hint,
  };
}

function heldBy(pods: readonly PodRecord[], extra: readonly string[]): Record<string, number> {
  const held: Record<string, number> = {};
  for (const pod of pods) {
    for (const [resource, units] of acceleratorRequests(pod.requests, extra))
      held[resource] = (held[resource] ?? 0) + units;
  }
  return held;
}

/**
 * Labels that people, clouds and node feature discovery put on machines with accelerators.
 * https://kubernetes-sigs.github.io/node-feature-discovery/stable/usage/features.html (PCI vendor 10de is NVIDIA)
 */
const ACCELERATOR_KEY =
  /(^|[/.])(accelerator|gpu\.present|gpu\.product|gke-accelerator|gke-tpu-accelerator|instance-gpu-name|sku-gpu-name|feature\.node\.kubernetes\.io\/gpu|pci-(\w+_)?10de(\.\w+)*\.present)$/;

const acceleratorLabel = oncePer((node: NodeRecord): string | undefined => {
  const found = Object.entries(node.labels).find(
    ([key, value]) => ACCELERATOR_KEY.test(key) && !/^(|false|no|none|0|cpu)$/i.test(value),
  );
  return found && `${found[0]}=${found[1]}`;
});

/** A kubelet keeps the name of a resource, with the amount 0, when its device plugin goes away. */
function emptyResource(node: NodeRecord, extra: readonly string[]): string | undefined {
  const resource = Object.keys(node.capacity ?? {}).find(
    (name) => acceleratorUnit(name, extra) !== undefined,
  );
  return resource && `${resource}: ${node.capacity?.[resource] ?? 0}`;
}
