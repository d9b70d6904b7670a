import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Faults } from "./faults.ts";
import { answer } from "./handler.ts";
import type { KubernetesObject, ObjectRef } from "./kubernetes-object.ts";
import { Lister } from "./list.ts";
import { ObjectStore } from "./object-store.ts";
import { Watcher } from "./watcher.ts";

export interface ApiServerOptions {
  /** What is there from the start. */
  readonly objects?: readonly KubernetesObject[];
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** false: answers JSON to everything, as for kinds that have no protobuf. */
  readonly protobuf?: boolean;
  /** false: refuses `sendInitialEvents`, as servers did before they had it. */
  readonly watchList?: boolean;
  /** false: tells of its resources group by group only, as servers before 1.26 did. */
  readonly aggregatedDiscovery?: boolean;
  /** What containers have printed, by `NAMESPACE/POD/CONTAINER`; of their previous run by the same and `/previous`. */
  readonly logs?: Readonly<Record<string, string>>;
  /** Milliseconds between the bookmarks of a watch; 10 s if not given. */
  readonly bookmarkInterval?: number;
  /** Epoch milliseconds, for the creationTimestamp of objects that have none. */
  readonly now?: () => number;
}

/** One request that came in. */
export interface RequestLog {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string;
  readonly userAgent: string;
  /** HTTP status; undefined while it waits for its answer. */
  readonly status: number | undefined;
  /** Epoch milliseconds of its arrival. */
  readonly at: number;
}

export interface ApiServer {
  readonly url: string;
  readonly faults: Faults;
  /** The last requests, oldest first. */
  readonly requests: readonly RequestLog[];
  /** Adds or replaces objects by kind, namespace and name; each gets a new resourceVersion and tells the watches. */
  apply(objects: readonly KubernetesObject[]): void;
  /** Removes objects; those that are not there are passed over. */
  remove(refs: readonly ObjectRef[]): void;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

/** Requests that are remembered. */
const LOG_LENGTH = 10_000;

/** Starts a small Kubernetes API server on 127.0.0.1: read only, plain HTTP, breakable on purpose. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const now = options.now ?? Date.now;
  const store = new ObjectStore(now);
  const lister = new Lister(store);
  const watcher = new Watcher(store, {
    watchList: options.watchList ?? true,
    bookmarkInterval: options.bookmarkInterval ?? 10_000,
  });
  const requests: RequestLog[] = [];
  const server = createServer((request, response) => {
    requests.push(logEntry(request, response, now()));
    if (requests.length > LOG_LENGTH) requests.shift();
    void answer(request, response, parts);
  });
  let port = options.port ?? 0;
  const open = async () => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address !== null && typeof address === "object") port = address.port;
  };
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const faults = new Faults({ store, lister, watcher, port: { open, close } });
  const { protobuf = true, aggregatedDiscovery = true, logs = {} } = options;
  const parts = { store, lister, watcher, faults, protobuf, aggregatedDiscovery, logs, now };

  for (const object of options.objects ?? []) store.apply(object);
  await open();
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    requests,
    apply: (objects) => {
      for (const object of objects) store.apply(object);
    },
    remove: (refs) => {
      for (const ref of refs) store.remove(ref);
    },
    close,
  };
}

function logEntry(request: IncomingMessage, response: ServerResponse, at: number): RequestLog {
  const url = URL.parse(request.url ?? "/", "http://127.0.0.1");
  return {
    method: request.method ?? "",
    path: url?.pathname ?? "",
    query: Object.fromEntries(url?.searchParams ?? []),
    accept: request.headers.accept ?? "",
    userAgent: request.headers["user-agent"] ?? "",
    get status() {
      return response.headersSent ? response.statusCode : undefined;
    },
    at,
  };
}

export type { KubernetesObject };
