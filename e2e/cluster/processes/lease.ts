import type { Api } from "../api.ts";

const leasePath = (node: string) => `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}`;

/** Longer than any test. Seconds. */
const FOR_LONG = 86_400;

/**
 * Takes a node's lease away from KWOK, which then neither renews it nor touches the node or its pods: to the node
 * controller it is a machine that hangs. https://kubernetes.io/docs/concepts/architecture/leases/#node-heart-beats
 */
export async function pauseLease(api: Api, node: string): Promise<void> {
  const spec = { holderIdentity: "paused", leaseDurationSeconds: FOR_LONG };
  await api.send("PATCH", leasePath(node), { spec }, "application/merge-patch+json");
}

/** Lets KWOK have the lease back: it makes a new one and looks after the node again. */
export async function resumeLease(api: Api, node: string): Promise<void> {
  await api.send("DELETE", leasePath(node));
}
