import { expect, it } from "vitest";
import { FACT_KINDS } from "../../sources/kubernetes/kinds/fact-kinds.ts";
import { apiResourceOf, apiVersionOf } from "./api-resource.ts";

it.each([
  ["v1", "Pod", "pods", true],
  ["v1", "Node", "nodes", false],
  ["v1", "Endpoints", "endpoints", true],
  ["networking.k8s.io/v1", "Ingress", "ingresses", true],
  ["networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", true],
  ["gateway.networking.k8s.io/v1", "Gateway", "gateways", true],
  ["storage.k8s.io/v1", "StorageClass", "storageclasses", false],
  ["karpenter.sh/v1", "NodePool", "nodepools", false],
  ["kueue.x-k8s.io/v1beta2", "LocalQueue", "localqueues", true],
  ["kueue.x-k8s.io/v1beta2", "Cohort", "cohorts", false],
  ["karpenter.sh/v1alpha5", "Provisioner", "provisioners", false],
  ["eks.amazonaws.com/v1", "NodeClass", "nodeclasses", false],
  ["scheduling.volcano.sh/v1beta1", "Queue", "queues", false],
  ["scheduling.volcano.sh/v1beta1", "PodGroup", "podgroups", true],
  ["autoscaling.x-k8s.io/v1", "ProvisioningRequest", "provisioningrequests", true],
])("%s %s", (apiVersion, kind, plural, namespaced) => {
  const resource = apiResourceOf({ apiVersion, kind });
  expect(resource).toMatchObject({ kind, plural, namespaced });
  expect(apiVersionOf(resource)).toBe(apiVersion);
});

it.each(FACT_KINDS.map((kind) => [kind.kind, kind] as const))(
  "%s has the plural by which it is read",
  (_, { group, kind, plural, versions: [version] }) =>
    expect(apiResourceOf({ apiVersion: `${group}/${version}`, kind }).plural).toBe(plural),
);
