import { apiVersionOf } from "./api-resource.ts";
import type { ObjectStore } from "./object-store.ts";

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

/** The discovery document of a path, as kubectl asks for it; undefined for every other path. */
export function discover(path: string, store: ObjectStore): object | undefined {
  if (path === "/version") return VERSION;
  if (path === "/api") return { kind: "APIVersions", versions: ["v1"] };
  if (path === "/apis") return groups(store);
  const apiVersion = /^\/(?:api|apis\/[^/]+)\/[^/]+$/.test(path) ? path.replace(/^\/apis?\//, "") : undefined;
  return apiVersion === undefined ? undefined : resources(apiVersion, store);
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
