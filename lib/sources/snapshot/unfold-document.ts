import type { KubernetesObject } from "../../testing/api-server/kubernetes-object.ts";

/** A Kubernetes object of a document, or what one of its parts lacks to be one. */
export type DocumentPart =
  | { readonly object: KubernetesObject }
  | { readonly where: string; readonly error: string };

type Fields = Readonly<Record<string, unknown>>;

/**
 * The objects of one document: itself, or the items of a `List`, `NodeList`, `PodList` ..., which take kind and
 * apiVersion from their list where they have none of their own, as the API server's lists are.
 */
export function unfoldDocument(value: unknown): DocumentPart[] {
  return unfold(value, "", {});
}

function unfold(
  value: unknown,
  path: string,
  inherited: { apiVersion?: unknown; kind?: unknown },
): DocumentPart[] {
  if (!isFields(value)) return [lacks(path, "", "a Kubernetes object", value)];
  const object: Fields = { ...inherited, ...value };
  if (isList(object)) {
    const kind = object.kind.slice(0, -"List".length);
    const ofItems = kind === "" ? {} : { apiVersion: object.apiVersion, kind };
    const items: unknown = object.items ?? [];
    if (!Array.isArray(items)) return [lacks(path, "items", "a list of objects", items)];
    return items.flatMap((item, index) => unfold(item, `${path}${path && "."}items[${index}]`, ofItems));
  }
  if (isKubernetesObject(object)) return [{ object }];
  const metadata = isFields(object.metadata) ? object.metadata : {};
  if (!isName(object.apiVersion)) return [lacks(path, "apiVersion", "a name such as v1", object.apiVersion)];
  if (!isName(object.kind)) return [lacks(path, "kind", "a name such as Node", object.kind)];
  if (!isName(metadata.name)) return [lacks(path, "metadata.name", "a name", metadata.name)];
  return [lacks(path, "metadata.namespace", "a name or nothing", metadata.namespace)];
}

function isList(object: Fields): object is Fields & { readonly kind: string } {
  const named = isFields(object.metadata) && isName(object.metadata.name);
  return typeof object.kind === "string" && object.kind.endsWith("List") && "items" in object && !named;
}

function isKubernetesObject(object: Fields): object is KubernetesObject & Fields {
  const { apiVersion, kind, metadata } = object;
  if (!isName(apiVersion) || !isName(kind) || !isFields(metadata) || !isName(metadata.name)) return false;
  return metadata.namespace === undefined || isName(metadata.namespace);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function lacks(path: string, field: string, expected: string, value: unknown): DocumentPart {
  const found = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value)).slice(0, 80);
  return { where: [path, field].filter(Boolean).join("."), error: `expected ${expected}, found ${found}` };
}
