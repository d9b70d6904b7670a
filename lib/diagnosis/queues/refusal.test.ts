import { describe, expect, test } from "vitest";
import { refusalIn, refusalInWords } from "./refusal.ts";

describe("why the API server refused a pod", () => {
  test.each([
    [
      'Error creating: pods "train-0" is forbidden: exceeded quota: gpus, requested: requests.nvidia.com/gpu=8, used: requests.nvidia.com/gpu=4, limited: requests.nvidia.com/gpu=8',
      "exceeded",
      "quota gpus allows requests.nvidia.com/gpu=8, requests.nvidia.com/gpu=4 is used and it asks for requests.nvidia.com/gpu=8 more",
    ],
    [
      'create Pod t-0 in StatefulSet t failed error: pods "t-0" is forbidden: exceeded quota: q, requested: requests.amd.com/gpu=1,limits.cpu=4, used: requests.amd.com/gpu=2,limits.cpu=8, limited: requests.amd.com/gpu=2,limits.cpu=10',
      "exceeded",
      "quota q allows requests.amd.com/gpu=2,limits.cpu=10, requests.amd.com/gpu=2,limits.cpu=8 is used and it asks for requests.amd.com/gpu=1,limits.cpu=4 more",
    ],
    [
      'pods "x" is forbidden: failed quota: q: must specify cpu,memory',
      "unstated",
      "quota q covers cpu and memory, which the pod does not state",
    ],
    [
      'pods "x" is forbidden: failed quota: q: must specify limits.cpu for: main; limits.memory for: main',
      "unstated",
      "quota q covers limits.cpu, which the pod does not state",
    ],
    [
      'pods "x" is forbidden: [maximum cpu usage per Container is 4, but limit is 16, maximum memory usage per Container is 8Gi, but limit is 64Gi]',
      "limit",
      "the namespace's limits do not allow it (maximum cpu usage per Container is 4, but limit is 16, maximum memory usage per Container is 8Gi, but limit is 64Gi)",
    ],
    [
      'admission webhook "validate.kyverno.svc-fail" denied the request: resource Pod/ml/x was blocked due to the following policies',
      "policy",
      "the admission webhook validate.kyverno.svc-fail does not allow it (resource Pod/ml/x was blocked due to the following policies)",
    ],
    [
      'pods "x" is forbidden: violates PodSecurity "restricted:latest": privileged (container "main" must not set securityContext.privileged=true)',
      "policy",
      'pod security level restricted does not allow it (privileged (container "main" must not set securityContext.privileged=true))',
    ],
    [
      'pods "x" is forbidden: unable to validate against any security context constraint: [provider "anyuid": Forbidden]',
      "policy",
      `the cluster's security policy does not allow it ([provider "anyuid": Forbidden])`,
    ],
    [
      'Internal error occurred: failed calling webhook "mpod.kb.io": failed to call webhook: no endpoints available for service "w"',
      "unanswered",
      'the admission webhook mpod.kb.io does not answer (failed to call webhook: no endpoints available for service "w")',
    ],
    [
      'pods "x" is forbidden: Pod Priority class system-node-critical is not permitted in ml namespace',
      "policy",
      "the API server does not allow it (Pod Priority class system-node-critical is not permitted in ml namespace)",
    ],
    [
      'Pod "x" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "shm"',
      "config",
      'Pod "x" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "shm"',
    ],
    [
      'admission webhook "vpod.kb.io" denied the request: leader pod not yet scheduled, not creating follower pod. this is an expected, transient error',
      undefined,
      undefined,
    ],
    [
      'admission webhook "validatepod.volcano.sh" denied the request: failed to create pod <ml/x> as the podgroup phase is Pending',
      undefined,
      undefined,
    ],
    [
      "pods \"x\" is forbidden: ValidatingAdmissionPolicy 'gpu-limit' with binding 'gpu-limit-b' denied request: at most 4 GPUs",
      "policy",
      "the admission policy gpu-limit does not allow it (at most 4 GPUs)",
    ],
    [
      'pods "x" is forbidden: error looking up service account ml/trainer: serviceaccount "trainer" not found',
      "config",
      'serviceaccount "trainer" not found',
    ],
    [
      'pods "x" is forbidden: no PriorityClass with name high was found',
      "config",
      "no PriorityClass with name high was found",
    ],
    ["0/3 nodes are available: 3 Insufficient nvidia.com/gpu.", undefined, undefined],
    ["Back-off pulling image", undefined, undefined],
  ])("%s", (message, kind, words) => {
    const refusal = refusalIn(message);
    expect(refusal?.kind).toBe(kind);
    if (refusal && words !== undefined) expect(refusalInWords(refusal)).toBe(words);
  });
});
