import type { ServerResponse } from "node:http";
import type { ApiResource } from "./api-resource.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { ObjectStore, StoreEvent } from "./object-store.ts";
import { numberOf, type ResourceRequest, resourceVersionOf } from "./request.ts";
import { parseSelector } from "./selector.ts";
import { failure, StatusError } from "./status.ts";
import { WatchStream } from "./watch-stream.ts";
import { JSON_FORMAT, type WireFormat } from "./wire-format.ts";

interface WatcherOptions {
  readonly watchList: boolean;
  /** Milliseconds between bookmarks. */
  readonly bookmarkInterval: number;
}

/** Where a watch begins: the objects that it tells first, then the changes that it has missed. */
interface Start {
  readonly initial: readonly KubernetesObject[];
  readonly missed: readonly StoreEvent[];
  readonly endMark: boolean;
  /** It begins at a version that the store has yet to reach. */
  readonly isAhead: boolean;
}

/** Answers watches and keeps them up to date. https://kubernetes.io/docs/reference/using-api/api-concepts/ */
export class Watcher {
  readonly #store: ObjectStore;
  readonly #options: WatcherOptions;
  readonly #open = new Set<WatchStream>();

  constructor(store: ObjectStore, options: WatcherOptions) {
    this.#store = store;
    this.#options = options;
    store.subscribe((event) => {
      for (const watch of this.#open) watch.deliver(event);
    });
  }

  /** Watches that are open now, of one plural or of all (`*`). */
  open(plural: string): readonly WatchStream[] {
    return [...this.#open].filter((watch) => plural === "*" || watch.resource.plural === plural);
  }

  /**
   * Begins a watch. Like a real server it says nothing at all to one from a version that is yet to come.
   * Throws a Status: 410 for a forgotten version, 422 for a wrong WatchList.
   */
  watch(resource: ApiResource, request: ResourceRequest, response: ServerResponse, format: WireFormat): void {
    const { query, namespace } = request;
    const selects = parseSelector(query);
    const timeout = numberOf(query, "timeoutSeconds");
    const { initial, missed, endMark, isAhead } = this.#start(resource, query);
    const opening = [...initial, ...missed.map((event) => event.object)];
    const watch = new WatchStream(
      resource,
      response,
      opening.every(format.holds) ? format : JSON_FORMAT,
      (object) => (namespace === undefined || object.metadata.namespace === namespace) && selects(object),
    );
    for (const object of initial) watch.initial(object);
    if (endMark) watch.bookmark(this.#store.version, true);
    for (const event of missed) watch.deliver(event);
    if (isAhead) watch.stall();
    this.#open.add(watch);

    const timers = [
      query.get("allowWatchBookmarks") === "true" &&
        setInterval(() => watch.bookmark(this.#store.version), this.#options.bookmarkInterval),
      timeout !== undefined && timeout > 0 && setTimeout(() => watch.close(), timeout * 1_000),
    ];
    response.on("close", () => {
      this.#open.delete(watch);
      for (const timer of timers) if (timer) clearTimeout(timer);
    });
  }

  #start(resource: ApiResource, query: URLSearchParams): Start {
    const { version } = this.#store;
    const wanted = resourceVersionOf(query) ?? 0;
    if (query.has("sendInitialEvents")) this.#checkWatchList(query);
    const sendInitial = query.get("sendInitialEvents") === "true";
    if (sendInitial || wanted === 0) {
      const endMark = sendInitial && query.get("allowWatchBookmarks") === "true";
      return { initial: this.#store.list(resource), missed: [], endMark, isAhead: false };
    }
    if (wanted > version) return { initial: [], missed: [], endMark: false, isAhead: true };
    const missed = this.#store.eventsSince(wanted);
    if (!missed) throw new StatusError(failure(410, `too old resource version: ${wanted} (${version})`));
    return { initial: [], missed, endMark: false, isAhead: false };
  }

  #checkWatchList(query: URLSearchParams): void {
    if (!this.#options.watchList) {
      throw new StatusError(
        failure(
          422,
          'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
        ),
      );
    }
    if (query.get("resourceVersionMatch") !== "NotOlderThan") {
      throw new StatusError(
        failure(
          422,
          'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
        ),
      );
    }
  }
}
