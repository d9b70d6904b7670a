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
  /** What the sentence says. */
  readonly sentence: RegExp;
  /** What a piece of the evidence says. */
  readonly evidence: RegExp;
  readonly container: Readonly<Record<string, unknown>>;
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
    sentence: /cannot pull the image localhost\/no-such-trainer:v1/,
    evidence: /ImagePullBackOff|ErrImagePull/,
    container: { image: "localhost/no-such-trainer:v1" },
  },
  {
    name: "no-secret",
    what: "a secret that is not there",
    reason: "ContainerConfigError",
    sentence: /container main cannot be started: CreateContainerConfigError: secret "hub-token" not found/,
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
    sentence: /container main cannot be started: CreateContainerConfigError: configmap "recipe" not found/,
    evidence: /CreateContainerConfigError.*configmap "recipe" not found/,
    container: { command: ["sleep", "3600"], envFrom: [{ configMapRef: { name: "recipe" } }] },
  },
];

/**
 * A pod that asks for one GPU.
 *
 * @param nodeName binds it by hand, past the scheduler
 */
export function gpuPod(
  name: string,
  container: FailingPod["container"],
  nodeName?: string,
): KubernetesObject {
  const { resources, ...rest } = container as { resources?: { limits: object } };
  const limits = { "nvidia.com/gpu": "1", ...resources?.limits };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: NAMESPACE },
    spec: {
      terminationGracePeriodSeconds: 1,
      ...(nodeName === undefined ? {} : { nodeName }),
      containers: [{ name: "main", image: "busybox:1", ...rest, resources: { limits } }],
    },
  };
}
