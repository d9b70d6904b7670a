import { type ApiResource, apiVersionOf } from "./api-resource.ts";
import type { ObjectStore } from "./object-store.ts";
import { failure, StatusError } from "./status.ts";

/** Names that kubectl accepts beside the plural. */
const SHORT_NAMES: Readonly<Record<string, readonly string[]>> = {
  nodes: ["no"],
  pods: ["po"],
  events: ["ev"],
  namespaces: ["ns"],
  deployments: ["deploy"],
  replicasets: ["rs"],
  statefulsets: ["sts"],
  daemonsets: ["ds"],
};

const VERSION = { major: "1", minor: "36", gitVersion: "v1.36.0", platform: "linux/amd64" };

/** How a server that can tells of all resources in one answer. https://kubernetes.io/docs/concepts/overview/kubernetes-api/#aggregated-discovery */
export const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** What the discovery documents are made of. */
export interface Discovered {
  readonly store: ObjectStore;
  /** Groups whose server does not answer. */
  readonly downGroups: ReadonlySet<string>;
}

/** Whether the discovery document of this path can be aggregated. */
export function isRoot(path: string): boolean {
  return path === "/api" || path === "/apis";
}

/**
 * The discovery document of a path, as kubectl asks for it, `aggregated` where that was asked for; undefined for every
 * other path. Throws a 503 Status for a group that is down.
 */
export function discover(path: string, { store, downGroups }: Discovered, aggregated: boolean) {
  if (path === "/version") return VERSION;
  if (aggregated && isRoot(path)) return allGroups(path === "/api", store, downGroups);
  if (path === "/api") return { kind: "APIVersions", versions: ["v1"] };
  if (path === "/apis") return groups(store);
  const apiVersion = /^\/(?:api|apis\/[^/]+)\/[^/]+$/.test(path) ? path.replace(/^\/apis?\//, "") : undefined;
  if (apiVersion === undefined) return undefined;
  if (downGroups.has(apiVersion.split("/")[0] ?? "")) throw new StatusError(failure(503));
  return resources(apiVersion, store);
}

function allGroups(core: boolean, store: ObjectStore, downGroups: ReadonlySet<string>) {
  const own = store.resources.filter(({ group }) => (group === "") === core);
  const items = Object.entries(Object.groupBy(own, ({ group }) => group)).map(([name, list = []]) => ({
    metadata: { name: name === "" ? undefined : name },
    versions: Object.entries(Object.groupBy(list, ({ version }) => version)).map(([version, each = []]) =>
      downGroups.has(name)
        ? { version, freshness: "Stale" }
        : { version, resources: each.map(aggregatedResource), freshness: "Current" },
    ),
  }));
  return { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", metadata: {}, items };
}

function aggregatedResource({ group, version, plural, kind, namespaced }: ApiResource) {
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? "Namespaced" : "Cluster",
    singularResource: kind.toLowerCase(),
    verbs: ["get", "list", "watch"],
    ...(SHORT_NAMES[plural] ? { shortNames: SHORT_NAMES[plural] } : {}),
  };
}

function groups(store: ObjectStore) {
  const versions = new Map<string, Set<string>>();
  for (const { group, version } of store.resources) {
    if (group !== "") versions.set(group, (versions.get(group) ?? new Set()).add(version));
  }
  const list = [...versions].map(([name, each]) => {
    const served = [...each].map((version) => ({ groupVersion: `${name}/${version}`, version }));
    return { name, versions: served, preferredVersion: served[0] };
  });
  return { kind: "APIGroupList", apiVersion: "v1", groups: list };
}

function resources(apiVersion: string, store: ObjectStore) {
  const served = store.resources.filter((resource) => apiVersionOf(resource) === apiVersion);
  if (served.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: apiVersion,
    resources: served.map(({ plural, kind, namespaced }) => ({
      name: plural,
      singularName: kind.toLowerCase(),
      namespaced,
      kind,
      verbs: ["get", "list", "watch"],
      ...(SHORT_NAMES[plural] ? { shortNames: SHORT_NAMES[plural] } : {}),
    })),
  };
}
