import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";
import { type Api, ApiError } from "../api.ts";
import { until } from "../until.ts";

/** A kind of which objects are to be seeded. */
interface SeededKind {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly string[];
  readonly namespaced: boolean;
}

const PATIENCE = 30_000;

/**
 * Defines every kind of the objects that the server does not serve, in the versions that they are written in and without
 * a schema, and resolves once each is served. Definitions that are there already are left alone.
 */
export async function defineKinds(api: Api, objects: readonly KubernetesObject[]): Promise<void> {
  const served = await servedKinds(api, objects);
  const missing = objects.filter((object) => !served.has(idOf(object)));
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await Promise.all(kindsOf(missing).map((kind) => api.send("POST", path, definition(kind))));
  const ids = [...new Set(missing.map(idOf))];
  const areServed = async () => {
    const now = await servedKinds(api, missing);
    return ids.every((id) => now.has(id)) || undefined;
  };
  await until(areServed, `${ids.join(", ")} to be served`, PATIENCE);
}

const idOf = ({ apiVersion, kind }: KubernetesObject): string => `${apiVersion} ${kind}`;

/** The discovery document is Kubernetes' own: https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api */
interface ResourceList {
  readonly resources: readonly { readonly kind: string }[];
}

/** Which of the objects' kinds the server serves. */
async function servedKinds(api: Api, objects: readonly KubernetesObject[]): Promise<ReadonlySet<string>> {
  const versions = [...new Set(objects.map(({ apiVersion }) => apiVersion))];
  const kinds = versions.map(async (apiVersion) => {
    const root = apiVersion.includes("/") ? "/apis" : "/api";
    const { resources } = await api
      .send<ResourceList>("GET", `${root}/${apiVersion}`)
      .catch((error: unknown): ResourceList => {
        if (error instanceof ApiError && error.code === 404) return { resources: [] };
        throw error;
      });
    return resources.map(({ kind }) => `${apiVersion} ${kind}`);
  });
  return new Set((await Promise.all(kinds)).flat());
}

function kindsOf(objects: readonly KubernetesObject[]): readonly SeededKind[] {
  const groupOf = (object: KubernetesObject) => object.apiVersion.split("/")[0] ?? "";
  const kinds = Map.groupBy(objects, (object) => `${object.kind}.${groupOf(object)}`);
  return [...kinds.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const versions = new Set(same.map(({ apiVersion }) => apiVersion.split("/")[1] ?? ""));
    const namespaced = same.some(({ metadata }) => metadata.namespace !== undefined);
    return [{ group: groupOf(first), kind: first.kind, versions: [...versions], namespaced }];
  });
}

/** https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/ */
function definition({ group, kind, versions, namespaced }: SeededKind): KubernetesObject {
  const plural = pluralOf(kind);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        subresources: { status: {} },
      })),
    },
  };
}

/** As Kubernetes itself guesses it: https://pkg.go.dev/k8s.io/apimachinery/pkg/api/meta#UnsafeGuessKindToResource */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("s")) return `${singular}es`;
  return singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
