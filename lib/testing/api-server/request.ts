import { failure, StatusError } from "./status.ts";

/** What a request does, in the words of Kubernetes' RBAC. */
export type Verb = "get" | "list" | "watch";

/** A request for objects, read from its URL. */
export interface ResourceRequest {
  readonly apiVersion: string;
  readonly plural: string;
  readonly verb: Verb;
  /** undefined: cluster-scoped, or all namespaces. */
  readonly namespace: string | undefined;
  /** Set for `get`. */
  readonly name: string | undefined;
  readonly query: URLSearchParams;
}

/** Reads `/api/v1/...` and `/apis/GROUP/VERSION/...`; undefined for every other path. Throws a 400 Status. */
export function parseResourceRequest(url: URL): ResourceRequest | undefined {
  const [root, ...rest] = segments(url.pathname);
  const core = root === "api";
  if (!core && root !== "apis") return undefined;
  const apiVersion = core ? rest[0] : `${rest[0]}/${rest[1]}`;
  const path = rest.slice(core ? 1 : 2);
  if (apiVersion === undefined || path.length === 0) return undefined;
  // `/namespaces/NS/pods` is a path into a namespace, `/namespaces/NS` the namespace itself.
  const namespace = path[0] === "namespaces" && path.length > 2 ? path[1] : undefined;
  const [plural, name, ...sub] = namespace === undefined ? path : path.slice(2);
  if (plural === undefined || sub.length > 0) return undefined;
  const query = url.searchParams;
  const watch = query.get("watch") === "true" || query.get("watch") === "1";
  const verb = name !== undefined ? "get" : watch ? "watch" : "list";
  return { apiVersion, plural, verb, namespace, name, query };
}

/** A resourceVersion parameter: a number, or undefined where it says nothing. Throws a 400 Status. */
export function resourceVersionOf(query: URLSearchParams): number | undefined {
  return numberOf(query, "resourceVersion");
}

/** A parameter that is a whole number, undefined where it is absent. Throws a 400 Status. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new StatusError(failure(400, `${name}: Invalid value: "${text}"`));
  return Number(text);
}

function segments(path: string): string[] {
  try {
    return path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    throw new StatusError(failure(400, `the path is not valid: ${path}`));
  }
}
