import { createHash } from "node:crypto";
import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";

/** A fleet of the size and make-up that is asked for, its objects as bulky as those of a cluster in use. */
export interface FleetSize {
  readonly nodes: number;
  readonly pods: number;
}

/** Every fifth pair of nodes has GPUs; two of each node's GPUs go to each of its first four pods. */
const GPUS = 8;
const GPU_PODS = 4;
const NAMESPACES = 20;

/** Pods of one of these have their images in common. */
const APPS = 200;

const FIRST = Date.UTC(2026, 0, 1);

/** Each object's own second. */
const startOf = (index: number): string =>
  new Date(FIRST + index * 37_000).toISOString().replace(".000Z", "Z");

const hasGpus = (node: number): boolean => node % 5 < 2;

/** Repeats for the same text, and does not compress. */
const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const nodeName = (index: number): string => `node-${String(index).padStart(5, "0")}`;

/** Names of the namespaces that the pods are in. */
export const benchNamespaces: readonly string[] = times(NAMESPACES, (index) => `team-${index}`);

/** Node number `index` as its kubelet and its cloud's controllers leave it, about 18 KB of JSON. */
export function benchNode(index: number): KubernetesObject {
  const name = nodeName(index);
  const gpus = hasGpus(index);
  const started = startOf(index);
  const resources = {
    cpu: "192",
    memory: "2096640Mi",
    pods: "110",
    "ephemeral-storage": "3000Gi",
    "hugepages-1Gi": "0",
    "hugepages-2Mi": "0",
    ...(gpus ? { "nvidia.com/gpu": String(GPUS) } : {}),
  };
  const condition = (type: string, status: string, reason: string) => ({
    type,
    status,
    reason,
    message: `kubelet reports ${reason} for ${type} of this node`,
    lastHeartbeatTime: started,
    lastTransitionTime: started,
  });
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "node.kubernetes.io/instance-type": gpus ? "p5.48xlarge" : "m7i.48xlarge",
        "topology.kubernetes.io/region": "us-east-1",
        "topology.kubernetes.io/zone": `us-east-1${"abc"[index % 3]}`,
        ...(gpus
          ? { "nvidia.com/gpu.present": "true", "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3" }
          : {}),
        ...Object.fromEntries(
          times(24, (at) => [`feature.node.kubernetes.io/cpu-cpuid.FEATURE${at}`, "true"]),
        ),
      },
      annotations: Object.fromEntries(
        times(8, (at) => [
          `csi.volume.kubernetes.io/nodeid-${at}`,
          digest(`${name}/annotation/${at}`).repeat(2),
        ]),
      ),
    },
    spec: { providerID: `aws:///us-east-1a/i-${digest(name).slice(0, 17)}`, podCIDR: "10.0.0.0/24" },
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [
        condition("MemoryPressure", "False", "KubeletHasSufficientMemory"),
        condition("DiskPressure", "False", "KubeletHasNoDiskPressure"),
        condition("PIDPressure", "False", "KubeletHasSufficientPID"),
        condition("Ready", "True", "KubeletReady"),
      ],
      addresses: [
        { type: "InternalIP", address: "10.0.0.1" },
        { type: "Hostname", address: name },
      ],
      nodeInfo: {
        kubeletVersion: "v1.36.3",
        containerRuntimeVersion: "containerd://2.2.0",
        osImage: "Amazon Linux 2023",
        kernelVersion: "6.12.40",
        operatingSystem: "linux",
        architecture: "amd64",
        kubeProxyVersion: "",
        machineID: digest(`${name}/machine`).slice(0, 32),
        systemUUID: digest(`${name}/system`).slice(0, 32),
        bootID: digest(`${name}/boot`).slice(0, 32),
      },
      images: times(46, (at) => ({
        names: [
          `registry.example.com/teams/image-${at}@sha256:${digest(`${name}/image/${at}`)}`,
          `registry.example.com/teams/image-${at}:${digest(`${name}/tag/${at}`).slice(0, 40)}`,
        ],
        sizeBytes: 1_000_000_000 + at,
      })),
    },
  };
}

/** Pod number `index` as it runs on its node, about 12 KB of JSON. Its status is to be written apart. */
export function benchPod(index: number, { nodes }: FleetSize): KubernetesObject {
  const node = index % nodes;
  const gpus = hasGpus(node) && index < nodes * GPU_PODS ? { "nvidia.com/gpu": "2" } : {};
  const name = `job-${String(index).padStart(6, "0")}`;
  const app = `app-${index % APPS}`;
  const started = startOf(index);
  const containers = ["main", "sidecar"].map((container) => ({
    name: container,
    image: `registry.example.com/teams/${app}-${container}:${digest(`${app}/${container}/tag`).slice(0, 40)}`,
    command: ["/usr/bin/run", "--config", "/etc/run/config.yaml"],
    env: times(16, (at) => ({
      name: `SETTING_NUMBER_${at}`,
      value: digest(`${name}/${container}/${at}`),
    })),
    resources: {
      requests: { cpu: "1", memory: "4Gi", ...(container === "main" ? gpus : {}) },
      limits: { memory: "4Gi", ...(container === "main" ? gpus : {}) },
    },
    volumeMounts: [{ name: "config", mountPath: "/etc/run" }],
  }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: `team-${index % NAMESPACES}`,
      labels: { app, "pod-template-hash": digest(app).slice(0, 10) },
      annotations: Object.fromEntries(
        times(4, (at) => [`example.com/annotation-${at}`, digest(`${name}/annotation/${at}`).repeat(2)]),
      ),
    },
    spec: {
      nodeName: nodeName(node),
      containers,
      volumes: [{ name: "config", configMap: { name: "config" } }],
    },
    status: {
      phase: "Running",
      startTime: started,
      podIP: "10.0.0.2",
      hostIP: "10.0.0.1",
      conditions: [
        "PodReadyToStartContainers",
        "Initialized",
        "Ready",
        "ContainersReady",
        "PodScheduled",
      ].map((type) => ({
        type,
        status: "True",
        lastTransitionTime: started,
      })),
      containerStatuses: containers.map((container) => ({
        name: container.name,
        image: container.image,
        imageID: `registry.example.com/teams/${app}-${container.name}@sha256:${digest(`${app}/${container.name}`)}`,
        containerID: `containerd://${digest(`${name}/${container.name}/id`)}`,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: started } },
      })),
    },
  };
}

/** Paths below the API server of the first pods that ask for GPUs, `most` at most. */
export function gpuPodPaths(size: FleetSize, most: number): readonly string[] {
  return times(Math.min(size.pods, size.nodes * GPU_PODS), (index) => index)
    .filter((index) => hasGpus(index % size.nodes))
    .slice(0, most)
    .map((index) => pathOf(benchPod(index, size)));
}

/** Path of a pod below the API server. */
export function pathOf({ metadata }: KubernetesObject): string {
  return `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
}
