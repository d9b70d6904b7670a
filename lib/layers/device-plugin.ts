import type { ContainerRecord, PodRecord } from "../model/kubernetes.ts";
import type { FleetNode } from "./fleet.ts";

/** What of the software that makes a node's accelerators known runs on the node, by its system pods. */
export interface DevicePlugins {
  /** Pods of a device plugin, driver installer or feature discovery on the node. */
  readonly pods: readonly PodRecord[];
  /** The first of them that does not work, and the container that shows it. */
  readonly failing: { readonly pod: PodRecord; readonly container: ContainerRecord | undefined } | undefined;
}

/** As the vendors' and the clouds' DaemonSets are named. */
const PLUGIN_NAME =
  /device-?plugin|gpu-driver|driver-(daemonset|installer)|(nvidia|amd|gaudi|neuron|tpu|gpu).*(driver|plugin|toolkit|installer)|gpu-operator|operator-validator|gpu-feature-discovery|node-feature-discovery|(^|-)nfd-/;

/** https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/ says what they do. */
export function devicePluginsOf(node: FleetNode): DevicePlugins {
  const pods = node.pods.filter((pod) => pod.system === "daemonset" && PLUGIN_NAME.test(pod.name));
  for (const pod of pods) {
    const container = pod.containers.find(isFailing);
    if (container || (pod.phase === "Pending" && pod.containers.every((one) => one.state.kind === "none"))) {
      return { pods, failing: { pod, container } };
    }
  }
  return { pods, failing: undefined };
}

function isFailing({ state, ready, restarts, init, lastTermination }: ContainerRecord): boolean {
  switch (state.kind) {
    case "waiting":
      return !/^(ContainerCreating|PodInitializing)$/.test(state.reason) || restarts > 0;
    case "terminated":
      return state.exitCode !== 0;
    case "running":
      return !init && !ready && restarts > 0 && lastTermination?.exitCode !== 0;
    case "none":
      return false;
    default:
      return state satisfies never;
  }
}
