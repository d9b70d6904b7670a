import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";
import {
  type ClusterSource,
  type ClusterState,
  createClusterSource,
} from "../sources/kubernetes/cluster-source.ts";
import { type Connection, connectionToUrl } from "../sources/kubernetes/connection.ts";
import type { FactKind } from "../sources/kubernetes/kinds/fact-kind.ts";
import {
  type ApiServer,
  type ApiServerOptions,
  type RequestLog,
  startApiServer,
} from "./api-server/api-server.ts";
import { NOW } from "./builders.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";

/** A scripted API server and a cluster source that follows it, on a clock that the test moves. */
export interface FollowedServer {
  readonly server: ApiServer;
  readonly source: ClusterSource;
  readonly clock: ManualClock;
  read(): ClusterState;
  /** State of one source, by the plural of its resource. */
  status(plural: string): ClusterState["sources"][number];
  /** Requests for this resource so far. */
  requests(plural: string): readonly RequestLog[];
  /** How often this resource was listed as a whole, as a watch's beginning or in pages; a look at its version is none. */
  lists(plural: string): number;
  /** Pieces of answers that have been read so far. */
  chunks(): number;
  /** Resolves once `check` holds; the clock stands meanwhile. */
  until(check: () => boolean, what?: string): Promise<void>;
  /** Resolves once every request that was begun has its answer's head, or its error. */
  settle(): Promise<void>;
  /** Moves the clock on by `ms` in steps, each request answered before the next step. */
  pass(ms: number, step?: number): Promise<void>;
  close(): Promise<void>;
}

export interface FollowOptions extends ApiServerOptions {
  readonly breakFirst?: (server: ApiServer) => void;
  /** What is read beside nodes, pods and events; nothing if not given. */
  readonly kinds?: readonly FactKind[];
}

/** Starts both and, unless `breakFirst` is given, waits until all that the server has is live. */
export async function startFollowedServer(options: FollowOptions = {}): Promise<FollowedServer> {
  const { breakFirst, kinds = [], ...serverOptions } = options;
  const server = await startApiServer({ bookmarkInterval: 50, ...serverOptions });
  breakFirst?.(server);
  const clock = createManualClock(NOW);
  const { connection, pending, chunks } = counted(connectionToUrl(server.url, "test"));
  const source = createClusterSource({ connection, clock, random: () => 0.5, kinds });
  const followed: FollowedServer = {
    server,
    source,
    clock,
    read: () => source.read(),
    status: (plural) => {
      const status = source.read().sources.find(({ id }) => id === `kubernetes/${plural}`);
      if (!status) throw new Error(`no source of ${plural}`);
      return status;
    },
    requests: (plural) => server.requests.filter(({ path }) => path.endsWith(`/${plural}`)),
    lists: (plural) => followed.requests(plural).filter(isListStart).length,
    chunks,
    until: (check, what = String(check)) =>
      vi.waitFor(
        () => {
          if (!check()) throw new Error(`never came true: ${what}`);
        },
        { interval: 2, timeout: 5_000 },
      ),
    settle: async () => {
      await turn();
      await followed.until(() => pending() === 0);
      await turn();
    },
    pass: async (ms, step = 100) => {
      for (let passed = 0; passed < ms; passed += step) {
        clock.advance(Math.min(step, ms - passed));
        await followed.settle();
      }
    },
    close: async () => {
      await source.stop();
      await server.close();
    },
  };
  source.start();
  const settled = ["live", "absent"];
  if (!breakFirst)
    await followed.until(() => source.read().sources.every(({ state }) => settled.includes(state)));
  return followed;
}

function isListStart({ query, status }: RequestLog): boolean {
  if (query.sendInitialEvents === "true") return status === 200;
  return query.limit !== undefined && query.limit !== "1" && query.continue === undefined;
}

function counted(connection: Connection) {
  let pending = 0;
  let chunks = 0;
  const open: Connection["open"] = async (path, init) => {
    pending += 1;
    try {
      const response = await connection.open(path, init);
      const follow: typeof response.follow = (take) =>
        response.follow((chunk) => {
          chunks += 1;
          take(chunk);
        });
      return { ...response, follow };
    } finally {
      pending -= 1;
    }
  };
  return { connection: { ...connection, open }, pending: () => pending, chunks: () => chunks };
}
