import type { KubernetesObject } from "./api-server/kubernetes-object.ts";

/** A pod as an API server has it, in namespace `ml`. */
export function aPodObject(name: string, fields: Readonly<Record<string, unknown>> = {}): KubernetesObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "ml" }, ...fields };
}

/** A node as an API server has it. */
export function aNodeObject(name: string, fields: Readonly<Record<string, unknown>> = {}): KubernetesObject {
  return { apiVersion: "v1", kind: "Node", metadata: { name }, ...fields };
}

/** An event about a pod of namespace `ml`, as an API server has it. */
export function anEventObject(
  name: string,
  pod: string,
  fields: Readonly<Record<string, unknown>> = {},
): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace: "ml" },
    involvedObject: { kind: "Pod", namespace: "ml", name: pod, uid: `uid-${pod}` },
    ...fields,
  };
}
