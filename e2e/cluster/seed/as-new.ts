import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";

/** The uid that an object was written with -> the one that the server has given it. */
export type Uids = Map<unknown, string>;

/**
 * An object as it can be applied: with further annotations, without what only a server sets, and with the uids that it
 * has given to the object's owners and to what an event is about.
 */
export function asNew(
  object: KubernetesObject,
  marks: Readonly<Record<string, string>>,
  uids: Uids,
): KubernetesObject {
  const { metadata, ...rest }: KubernetesObject = JSON.parse(
    JSON.stringify(object),
    (_key, value: unknown) => uids.get(value) ?? value,
  );
  const { uid, resourceVersion, creationTimestamp, generation, managedFields, ...kept } = metadata;
  const { deletionTimestamp, deletionGracePeriodSeconds, ...written } = kept;
  const annotations = Object.assign({}, written.annotations, marks);
  const node = object.kind === "Node" ? asNewNode(rest) : {};
  return { ...rest, ...node, metadata: { ...written, annotations } };
}

function asNewNode({ spec, status }: Readonly<Record<string, unknown>>) {
  return {
    // A list that is written down takes the place of what the server adds to it.
    spec: { taints: [], ...Object(spec) },
    // Nobody answers there, and kind's network would end at the first address that it has no route to.
    ...(status ? { status: { ...status, addresses: [] } } : {}),
  };
}
