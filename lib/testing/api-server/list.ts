import { randomUUID } from "node:crypto";
import { type ApiResource, apiVersionOf } from "./api-resource.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { ObjectStore } from "./object-store.ts";
import { numberOf, type ResourceRequest, resourceVersionOf } from "./request.ts";
import { parseSelector } from "./selector.ts";
import { failure, StatusError, tooLargeResourceVersion } from "./status.ts";

interface Snapshot {
  readonly version: number;
  readonly rest: readonly KubernetesObject[];
}

/** Lists that may be open at once; the oldest expires first. */
const OPEN_LISTS = 100;

/** Answers lists, whole or in pages; all pages of one list show the store as it was at the first. */
export class Lister {
  readonly #store: ObjectStore;
  /** continue token -> what is still to come */
  readonly #open = new Map<string, Snapshot>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** The list object. Throws a Status: 410 for an expired token, 504 for a version that is still to come. */
  list(resource: ApiResource, request: ResourceRequest): object {
    const { version, rest } = this.#continued(request.query) ?? this.#fresh(resource, request);
    const limit = numberOf(request.query, "limit") || rest.length;
    const remaining = rest.slice(limit);
    return {
      kind: `${resource.kind}List`,
      apiVersion: apiVersionOf(resource),
      metadata: {
        resourceVersion: String(version),
        ...(remaining.length === 0
          ? {}
          : { continue: this.#token({ version, rest: remaining }), remainingItemCount: remaining.length }),
      },
      items: rest.slice(0, limit).map((object) => (isBuiltIn(resource.group) ? untyped(object) : object)),
    };
  }

  /** Every continue token handed out so far answers 410. */
  expire(): void {
    this.#open.clear();
  }

  #continued(query: URLSearchParams): Snapshot | undefined {
    const token = query.get("continue");
    if (!token) return undefined;
    const snapshot = this.#open.get(token);
    if (snapshot) return snapshot;
    throw new StatusError(
      failure(410, "The provided continue parameter is too old to display a consistent list result."),
    );
  }

  #fresh(resource: ApiResource, request: ResourceRequest): Snapshot {
    const { version } = this.#store;
    const wanted = resourceVersionOf(request.query) ?? 0;
    if (wanted > version) throw new StatusError(tooLargeResourceVersion(String(wanted), String(version)));
    const selects = parseSelector(request.query);
    const inNamespace = (object: KubernetesObject) =>
      request.namespace === undefined || object.metadata.namespace === request.namespace;
    const rest = this.#store.list(resource).filter((object) => inNamespace(object) && selects(object));
    return { version, rest };
  }

  #token(snapshot: Snapshot): string {
    const token = randomUUID();
    this.#open.set(token, snapshot);
    const [oldest] = this.#open.keys();
    if (this.#open.size > OPEN_LISTS && oldest !== undefined) this.#open.delete(oldest);
    return token;
  }
}

const BUILT_IN =
  /^(?:|apps|batch|autoscaling|policy|(?:scheduling|storage|resource|events|networking)\.k8s\.io)$/;

function isBuiltIn(group: string): boolean {
  return BUILT_IN.test(group);
}

/** In lists of built-in kinds, API servers leave out what the kind of the list says. */
function untyped({ apiVersion: _, kind: __, ...object }: KubernetesObject): unknown {
  return object;
}
