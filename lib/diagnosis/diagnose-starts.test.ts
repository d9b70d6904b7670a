import { describe, expect, it } from "vitest";
import type { ContainerRecord } from "../model/kubernetes.ts";
import { layerOf } from "../model/reasons.ts";
import { NOW } from "../testing/builders.ts";
import {
  aConditionAgo,
  aRun,
  aStuckPod,
  crashing,
  MINUTE,
  type RuntimeCase,
  verdictOn,
} from "../testing/runtime-cases.ts";

const aboutPod = { kind: "Pod", namespace: "ml", name: "stuck", uid: "" };
const ready = { conditions: [aConditionAgo("Ready", "True")] };
const unready = { conditions: [aConditionAgo("Ready", "False")] };
const cannotStart = (reason: string, message: string): Partial<ContainerRecord> => ({
  ready: false,
  state: { kind: "waiting", reason, message },
});
const liveness = { livenessProbe: { initialDelaySeconds: 90, periodSeconds: 5, failureThreshold: 3 } };
const killing = {
  about: aboutPod,
  reason: "Killing",
  type: "Normal" as const,
  message: "Container main failed liveness probe, will be restarted",
};

const PROBES: readonly RuntimeCase[] = [
  {
    title: "killed as soon as the probe allows",
    pod: aStuckPod({ ...crashing(137, 132), ...liveness }),
    events: [killing],
    reason: "ProbeKillsSlowStart",
    certainty: "high",
    says: /which allows 105 s, and was killed after 132 s/,
  },
  {
    title: "ended well on the order of the kubelet",
    pod: aStuckPod({ ...crashing(0, 108, "Completed"), ...liveness }),
    events: [killing],
    reason: "ProbeKillsSlowStart",
  },
  {
    title: "no event left, a signal just when the probe would",
    pod: aStuckPod({ ...crashing(143, 107), ...liveness }),
    reason: "ProbeKillsSlowStart",
    certainty: "medium",
  },
  {
    title: "killed by its startup probe",
    pod: aStuckPod({
      ...crashing(137, 620),
      startupProbe: { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 60 },
    }),
    events: [{ ...killing, message: "Container main failed startup probe, will be restarted" }],
    reason: "ProbeKillsSlowStart",
    says: /fails the startup probe, which allows 600 s/,
  },
  {
    title: "ended with an error of its own on the order of the kubelet",
    pod: aStuckPod({ ...crashing(1, 108), ...liveness }),
    events: [killing],
    log: "KeyboardInterrupt: terminated",
    reason: "ProbeKillsSlowStart",
  },
  {
    title: "crashing by itself before a probe may kill it",
    pod: aStuckPod({ ...crashing(1, 20), ...liveness }),
    events: [killing],
    reason: "CrashLoop",
  },
  {
    title: "started, and killed by its liveness probe later",
    pod: aStuckPod({
      ...crashing(137, 700),
      ...liveness,
      startupProbe: { initialDelaySeconds: 0, periodSeconds: 10, failureThreshold: 60 },
    }),
    events: [killing],
    reason: "Hung",
  },
  {
    title: "killed after hours of work",
    pod: aStuckPod({ ...crashing(137, 20_000), ...liveness }),
    events: [killing],
    reason: "Hung",
  },
  {
    title: "an out-of-memory kill of a container with probes",
    pod: aStuckPod({ ...crashing(137, 110, "OOMKilled"), ...liveness }),
    reason: "HostOutOfMemory",
  },
  {
    title: "a kill at another time",
    pod: aStuckPod({ ...crashing(137, 12), ...liveness }),
    reason: "HostOutOfMemory",
    certainty: "low",
  },
  {
    title: "a kill that it has got over",
    pod: aStuckPod(
      { restarts: 1, lastTermination: aRun(137, 120, "Error", 40 * MINUTE), ...liveness },
      ready,
    ),
    events: [killing],
    reason: undefined,
  },
  {
    title: "never Ready",
    pod: aStuckPod(
      { ready: false, state: { kind: "running", startedAt: NOW - 90 * MINUTE } },
      { conditions: [aConditionAgo("Ready", "False", "ContainersNotReady", 90 * MINUTE)] },
    ),
    reason: "Hung",
    certainty: "low",
  },
  {
    title: "not Ready within the time that a load takes",
    pod: aStuckPod({ ready: false, state: { kind: "running", startedAt: NOW - 15 * MINUTE } }, unready),
    reason: undefined,
  },
];

const pull = (message: string): RuntimeCase["pod"] => aStuckPod(cannotStart("ImagePullBackOff", message));
const STARTS: readonly RuntimeCase[] = [
  {
    title: "no such tag",
    pod: pull('rpc error: code = NotFound desc = failed to pull and unpack image "x:9": x:9: not found'),
    reason: "ImagePullFailed",
    says: /no such image or tag/,
  },
  {
    title: "no access",
    pod: pull(
      "pull access denied, repository does not exist or may require authorization: server message: insufficient_scope",
    ),
    reason: "ImagePullFailed",
    says: /refuses access/,
  },
  {
    title: "a rate limit",
    pod: pull("429 Too Many Requests - toomanyrequests: You have reached your pull rate limit"),
    reason: "ImagePullFailed",
    certainty: "medium",
  },
  {
    title: "a timeout",
    pod: pull('Head "https://nvcr.io/v2/": dial tcp 10.0.0.1:443: i/o timeout'),
    reason: "ImagePullFailed",
    certainty: "medium",
    says: /does not answer/,
  },
  {
    title: "another architecture",
    pod: pull("no match for platform in manifest: not found"),
    reason: "ImagePullFailed",
    says: /architecture/,
  },
  {
    title: "a secret",
    pod: aStuckPod(cannotStart("CreateContainerConfigError", 'secret "hf-token" not found')),
    reason: "ContainerConfigError",
    says: /a secret that it uses does not exist/,
  },
  {
    title: "a key",
    pod: aStuckPod(cannotStart("CreateContainerConfigError", "couldn't find key token in Secret ml/hf")),
    reason: "ContainerConfigError",
    says: /a key that it uses/,
  },
  {
    title: "root",
    pod: aStuckPod(
      cannotStart("CreateContainerConfigError", "container has runAsNonRoot and image will run as root"),
    ),
    reason: "ContainerConfigError",
    says: /would run as root/,
  },
  {
    title: "a command",
    pod: aStuckPod(
      cannotStart(
        "RunContainerError",
        'failed to create containerd task: exec: "serve": executable file not found in $PATH',
      ),
    ),
    reason: "ContainerConfigError",
    says: /its command is not in the image/,
  },
  {
    title: "a device that is gone",
    pod: aStuckPod(
      cannotStart(
        "RunContainerError",
        "failed to create containerd task: nvidia-container-cli: device error: GPU-6a2c: unknown device: unknown",
      ),
    ),
    reason: "DeviceNotReadyAtAdmission",
  },
  {
    title: "a CDI device that is not there",
    pod: aStuckPod(
      cannotStart(
        "CreateContainerError",
        "failed to inject CDI devices: unresolvable CDI devices nvidia.com/gpu=0",
      ),
    ),
    reason: "DeviceNotReadyAtAdmission",
  },
  {
    title: "a runtime that is not installed",
    pod: aStuckPod(
      cannotStart(
        "RunContainerError",
        'exec: "nvidia-container-runtime": executable file not found in $PATH',
      ),
    ),
    reason: "DeviceNotReadyAtAdmission",
  },
  {
    title: "an image that needs a newer driver",
    pod: aStuckPod({
      ...crashing(128, 0, "StartError"),
      lastTermination: {
        ...aRun(128, 0, "StartError"),
        message:
          "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.9, please update your driver to a newer version",
      },
    }),
    reason: "ImageDriverMismatch",
  },
];

describe.each<[string, readonly RuntimeCase[]]>([
  ["probes", PROBES],
  ["starts", STARTS],
])("a pod that a node has: %s", (_, cases) => {
  it.each(cases)("$title: $reason", (one) => {
    const { reason, certainty, says } = one;
    const verdict = verdictOn(one);
    if (reason === undefined) expect(verdict).toBeUndefined();
    else expect(verdict).toMatchObject({ reason, layer: layerOf(reason), ...(certainty && { certainty }) });
    if (says) expect(verdict?.sentence).toMatch(says);
  });
});
