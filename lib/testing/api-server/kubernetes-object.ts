/** A Kubernetes object as its YAML or JSON says it; everything beyond these fields is kept as it came. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** Metadata with the one field that every object has; a namespaced kind without a namespace goes to `default`. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly [field: string]: unknown;
}

/** Names one object; `namespace` as in ObjectMeta, `apiVersion` only needed where two groups share a kind. */
export interface ObjectRef {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}
