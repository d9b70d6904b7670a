import { expect, it, test } from "vitest";
import { factsOf } from "../../../testing/facts-of.ts";
import { AUTOSCALING_KINDS } from "./autoscaling.ts";

const TEXT = `Cluster-autoscaler status at 2026-11-30 11:59:54.831392292 +0000 UTC:
Cluster-wide:
  Health:      Healthy (ready=3 unready=0 registered=3 longUnregistered=0)
  ScaleUp:     NoActivity (ready=3 registered=3)
               LastTransitionTime: 2026-11-30 11:32:00.710942853 +0000 UTC

NodeGroups:
  Name:        aks-gpupool-29518764-vmss
  Health:      Healthy (ready=1 unready=0 registered=1 longUnregistered=0 cloudProviderTarget=2 (minSize=0, maxSize=5))
               LastProbeTime:      2026-11-30 11:59:54.5 +0000 UTC
               LastTransitionTime: 2026-11-16 12:00:00.3 +0000 UTC
  ScaleUp:     Backoff (ready=1 cloudProviderTarget=2)
               LastProbeTime:      2026-11-30 11:59:54.8 +0000 UTC m=+66.1
               LastTransitionTime: 2026-11-30 11:30:00.355261302 +0000 UTC
  ScaleDown:   NoCandidates (candidates=0)
               LastTransitionTime: 2026-11-16 12:00:00.9 +0000 UTC

  Name:        second
  Health:      Healthy (ready=0 registered=0 cloudProviderTarget=0 (minSize=0, maxSize=1))
`;

const YAML = `time: 2026-11-30 11:59:54.831392292 +0000 UTC
autoscalerStatus: Running
nodeGroups:
- name: aks-gpupool-29518764-vmss
  health:
    status: Healthy
    nodeCounts:
      registered:
        total: 1
        ready: 1
    cloudProviderTarget: 2
    minSize: 0
    maxSize: 5
  scaleUp:
    status: Backoff
    backoffInfo:
      errorCode: cloudProviderError
      errorMessage: 'failed to increase node group size: out of stock'
    lastTransitionTime: "2026-11-30T11:30:00.355261302Z"
- name: second
  health:
    cloudProviderTarget: 0
    maxSize: 1
`;

const statusMap = (status: unknown, name = "cluster-autoscaler-status") => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "kube-system" },
  data: { status },
});

test.each<[string, string, object | undefined]>([
  ["text", TEXT, undefined],
  ["YAML", YAML, { code: "cloudProviderError", message: "failed to increase node group size: out of stock" }],
])("reads a status in %s", (_, text, backoff) => {
  const [status] = factsOf([statusMap(text)]).autoscalerStatus.items;
  expect(status?.updatedAt).toBe(Date.parse("2026-11-30T11:59:54.831Z"));
  expect(status?.problems).toEqual([]);
  expect(status?.groups).toMatchObject([
    {
      name: "aks-gpupool-29518764-vmss",
      min: 0,
      max: 5,
      target: 2,
      registered: 1,
      scaleUp: "Backoff",
      scaleUpSince: Date.parse("2026-11-30T11:30:00.355Z"),
      backoff,
    },
    { name: "second", max: 1, target: 0, backoff: undefined },
  ]);
});

test.each([["Initializing"], ["a: [b"], [""], ["- 1"], ["nodeGroups: 4\ntime: 3"]])(
  "notes that %j is no status, or has none",
  (text) => {
    const [status] = factsOf([statusMap(text)]).autoscalerStatus.items;
    expect(status?.groups).toEqual([]);
    expect(status?.problems).toHaveLength(1);
  },
);

it("leaves other ConfigMaps alone", () => {
  expect(factsOf([statusMap(TEXT, "other"), statusMap(undefined)]).autoscalerStatus.items).toEqual([]);
});

it("reads a ProvisioningRequest", () => {
  const request = {
    apiVersion: "autoscaling.x-k8s.io/v1beta1",
    kind: "ProvisioningRequest",
    metadata: { name: "pr", namespace: "train" },
    spec: {
      provisioningClassName: "queued-provisioning.gke.io",
      podSets: [{ count: 4 }, { count: 2 }, { count: "x" }],
    },
    status: {
      provisioningClassDetails: { NodeGroupName: "gke-flex-grp" },
      conditions: [{ type: "Accepted", status: "True", reason: "SuccessfullyQueued", message: "" }],
    },
  };
  expect(factsOf([request]).provisioningRequests.items).toMatchObject([
    {
      className: "queued-provisioning.gke.io",
      pods: 6,
      details: { NodeGroupName: "gke-flex-grp" },
      conditions: [{ type: "Accepted", status: "True" }],
      problems: [{ field: "spec.podSets[].count" }],
    },
  ]);
});

test.each(AUTOSCALING_KINDS.map((kind) => [kind.kind, kind] as const))(
  "%s never throws",
  (_, { normalize }) => {
    for (const raw of [undefined, null, 4, "x", [], {}, { data: 4, spec: 3 }, statusMap(4)]) {
      expect(() => normalize(raw)).not.toThrow();
    }
  },
);
