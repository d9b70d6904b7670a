import type { StuckView } from "../../../lib/model/fleet-view.ts";
import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";

/** Where the pods are. */
export const NAMESPACE = "kubelet";

/** A GPU pod that its kubelet cannot keep at work, and what has to be said of it. */
export interface FailingPod {
  readonly name: string;
  /** What is wrong with it, in words. */
  readonly what: string;
  readonly reason: StuckView["reason"];
  /** `high` where left out. */
  readonly certainty?: StuckView["certainty"];
  /** What the sentence says. */
  readonly sentence: RegExp;
  /** What a piece of the evidence says. */
  readonly evidence: RegExp;
  readonly container: Readonly<Record<string, unknown>>;
  /** Names and sizeLimits of its emptyDir volumes. */
  readonly scratch?: Readonly<Record<string, string>>;
  /** True: its kubelet ends it for good, and its GPU is free again. */
  readonly isEnded?: boolean;
}

/** Their images are on the nodes: nothing is pulled but what has to fail. */
export const FAILING_PODS: readonly FailingPod[] = [
  {
    name: "exits",
    what: "a container that exits with 1",
    reason: "CrashLoop",
    sentence: /exit 1 \(Error\), [2-9] restarts: no checkpoint in \/data/,
    evidence: /[2-9] restarts, last exit 1 \(Error\)/,
    container: {
      command: ["sh", "-c", "echo no checkpoint in /data; exit 1"],
      terminationMessagePolicy: "FallbackToLogsOnError",
    },
  },
  {
    name: "eats-memory",
    what: "a container that the kernel kills for its memory",
    reason: "HostOutOfMemory",
    sentence: /OOMKilled, \d+ restarts?\): its memory limit is too low/,
    evidence: /exit 137 \(OOMKilled\)/,
    // The runtime hears of the kill a little later than of the end of the container: one that ends at once is often
    // reported as a mere `Error`. Here the shell outlives what the kernel kills.
    container: {
      command: ["sh", "-c", "tail /dev/zero; sleep 1; exit 137"],
      resources: { limits: { memory: "32Mi" } },
    },
  },
  {
    name: "no-image",
    what: "an image that cannot be pulled",
    reason: "ImagePullFailed",
    // Nothing answers at that registry, which may pass.
    certainty: "medium",
    sentence:
      /cannot pull the image localhost\/no-such-trainer:v1, since the registry does not answer the node/,
    evidence: /ImagePullBackOff|ErrImagePull/,
    container: { image: "localhost/no-such-trainer:v1" },
  },
  {
    name: "no-secret",
    what: "a secret that is not there",
    reason: "ContainerConfigError",
    sentence:
      /container main cannot be started, since a secret that it uses does not exist: secret "hub-token" not found/,
    evidence: /CreateContainerConfigError.*secret "hub-token" not found/,
    container: {
      command: ["sleep", "3600"],
      env: [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: "hub-token", key: "token" } } }],
    },
  },
  {
    name: "no-config-map",
    what: "a config map that is not there",
    reason: "ContainerConfigError",
    sentence:
      /container main cannot be started, since a config map that it uses does not exist: configmap "recipe" not found/,
    evidence: /CreateContainerConfigError.*configmap "recipe" not found/,
    container: { command: ["sleep", "3600"], envFrom: [{ configMapRef: { name: "recipe" } }] },
  },
  {
    name: "loads-long",
    what: "a startup probe that kills a slow start",
    reason: "ProbeKillsSlowStart",
    sentence:
      /kills its container main while it is still starting: it fails the startup probe, which allows 6 s, and was killed after \d+ s/,
    evidence: /Container main failed startup probe, will be restarted/,
    container: {
      command: ["sh", "-c", "echo loading weights; sleep 3600"],
      startupProbe: { exec: { command: ["test", "-f", "/ready"] }, periodSeconds: 3, failureThreshold: 2 },
    },
  },
  {
    name: "fills-disk",
    what: "a pod that writes more to its scratch volume than it may",
    reason: "Evicted",
    sentence:
      /was evicted from .*since it filled an emptyDir volume: Usage of EmptyDir volume "scratch" exceeds the limit "1Mi"/,
    evidence: /Evicted: Usage of EmptyDir volume "scratch" exceeds the limit "1Mi"/,
    container: {
      command: ["sh", "-c", "dd if=/dev/zero of=/scratch/shard bs=1M count=8; sleep 3600"],
      volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
    },
    scratch: { scratch: "1Mi" },
    isEnded: true,
  },
];

/** A pod that asks for one GPU. `nodeName` binds it by hand, past the scheduler. */
export function gpuPod({
  name,
  container,
  scratch = {},
  nodeName,
}: Pick<FailingPod, "name" | "container" | "scratch"> & { readonly nodeName?: string }): KubernetesObject {
  const { resources, ...rest } = container as { resources?: { limits: object } };
  const limits = { "nvidia.com/gpu": "1", ...resources?.limits };
  const volumes = Object.entries(scratch).map(([volume, sizeLimit]) => ({
    name: volume,
    emptyDir: { sizeLimit },
  }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: NAMESPACE },
    spec: {
      terminationGracePeriodSeconds: 1,
      ...(nodeName === undefined ? {} : { nodeName }),
      containers: [{ name: "main", image: "busybox:1", ...rest, resources: { limits } }],
      volumes,
    },
  };
}
