import { expect, it } from "vitest";
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
])("%s %s", (apiVersion, kind, plural, namespaced) => {
  const resource = apiResourceOf({ apiVersion, kind });
  expect(resource).toMatchObject({ kind, plural, namespaced });
  expect(apiVersionOf(resource)).toBe(apiVersion);
});
