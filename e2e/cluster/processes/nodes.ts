import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";
import { PLAYED } from "../kwok/kwok.ts";
import type { NodeOptions } from "../rig.ts";

const RESOURCES = { cpu: "8", memory: "16Gi", pods: "110", "ephemeral-storage": "100Gi" };
const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

/** A node as a kubelet would have registered it, Ready since now. */
export function nodeObject({ name, role, labels }: NodeOptions, version: string): KubernetesObject {
  const isControlPlane = role === "control-plane";
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      annotations: PLAYED,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        ...(isControlPlane ? { [CONTROL_PLANE]: "" } : {}),
        ...labels,
      },
    },
    spec: isControlPlane ? { taints: [{ key: CONTROL_PLANE, effect: "NoSchedule" }] } : {},
    status: {
      capacity: RESOURCES,
      allocatable: RESOURCES,
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "KubeletReady",
          message: "kubelet is posting ready status",
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
      addresses: [{ type: "Hostname", address: name }],
      nodeInfo: {
        kubeletVersion: version,
        containerRuntimeVersion: "kwok",
        osImage: "none",
        kernelVersion: "none",
        operatingSystem: "linux",
        architecture: "amd64",
        kubeProxyVersion: "",
        machineID: "",
        systemUUID: "",
        bootID: "",
      },
    },
  };
}

/** A pod that runs on every node, as kube-proxy does. */
export const kubeProxy: KubernetesObject = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "kube-proxy", namespace: "kube-system" },
  spec: {
    selector: { matchLabels: { "k8s-app": "kube-proxy" } },
    template: {
      metadata: { labels: { "k8s-app": "kube-proxy" } },
      spec: {
        priorityClassName: "system-node-critical",
        tolerations: [{ operator: "Exists" }],
        containers: [{ name: "kube-proxy", image: "registry.k8s.io/kube-proxy" }],
      },
    },
  },
};

/**
 * What a kubelet shows of a pod that it runs from a file.
 * https://kubernetes.io/docs/tasks/configure-pod-container/static-pod/
 */
export function mirrorPod(component: string, node: { name: string; uid: string }): KubernetesObject {
  const hash = Buffer.from(component).toString("hex");
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${component}-${node.name}`,
      namespace: "kube-system",
      labels: { component, tier: "control-plane" },
      annotations: {
        "kubernetes.io/config.hash": hash,
        "kubernetes.io/config.mirror": hash,
        "kubernetes.io/config.source": "file",
      },
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: node.name, uid: node.uid, controller: true }],
    },
    spec: {
      nodeName: node.name,
      priorityClassName: "system-node-critical",
      hostNetwork: true,
      tolerations: [{ operator: "Exists", effect: "NoExecute" }],
      containers: [{ name: component, image: `registry.k8s.io/${component}` }],
    },
  };
}
