import { basename, resolve } from "node:path";
import { type Demo, startDemo } from "../demo/demo.ts";
import type { Issue } from "../model/snapshot.ts";
import type { Clock } from "../sources/kubernetes/clock.ts";
import { type ClusterSource, createClusterSource } from "../sources/kubernetes/cluster-source.ts";
import {
  type Connection,
  connectionFromKubeConfig,
  connectionToUrl,
} from "../sources/kubernetes/connection.ts";
import { createFileSource } from "../sources/reservations/file-source.ts";
import { createFixedSource } from "../sources/reservations/fixed-source.ts";
import type { ReservationSource } from "../sources/reservations/reservation-source.ts";
import { loadObjects } from "../sources/snapshot/load-objects.ts";
import { SourceError } from "../sources/source-error.ts";
import { startApiServer } from "../testing/api-server/api-server.ts";
import type { Config } from "./config.ts";
import type { Sources } from "./read-snapshot.ts";
import { unreachableCluster } from "./unreachable-cluster.ts";

/** The demo that is shown where no cluster is configured at all. */
const DEFAULT_DEMO = "fleet";

export interface OpenedSources extends Sources {
  readonly demo: Demo | undefined;
  /** What is read, one line each, for whoever started the process. */
  readonly reads: readonly string[];
  /** Ends what was started to be read from. */
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly config: Pick<Config, "source" | "reservationFiles" | "acceleratorNames">;
  readonly env: NodeJS.ProcessEnv;
  /** Where `.kube/config` is looked for. */
  readonly homeDir: string;
  readonly clock: Clock;
}

/**
 * Opens what the configuration names: a snapshot, a demo or a cluster, and the reservations beside it. Nothing is read
 * yet, except that a snapshot is loaded.
 *
 * @throws Error where a snapshot's path cannot be read. A cluster that cannot be reached is a state, no error.
 */
export async function openSources(options: OpenOptions): Promise<OpenedSources> {
  const { source } = options.config;
  if (source.kind === "snapshot") return openSnapshot(source.path, options);
  if (source.kind === "demo") return openDemo(source.name, "SEAMLINE_DEMO", options);
  return openCluster(options);
}

async function openSnapshot(path: string, options: OpenOptions): Promise<OpenedSources> {
  const { objects, reservationFiles, problems } = await loadObjects(path);
  const server = await startApiServer({ objects });
  const name = basename(resolve(path));
  const issues = problems.map(
    ({ file, where, message }): Issue => ({
      code: "UnreadableDocument",
      severity: "error",
      message: [file, where, message].filter(Boolean).join(": "),
    }),
  );
  return {
    ...common(options, reservationFiles),
    cluster: { name, kind: "snapshot", server: undefined },
    kubernetes: clusterAt(connectionToUrl(server.url, name), options),
    issues,
    demo: undefined,
    reads: [`snapshot ${path}`, ...readsFiles([...reservationFiles, ...options.config.reservationFiles])],
    close: () => server.close(),
  };
}

async function openDemo(name: string, why: string, options: OpenOptions): Promise<OpenedSources> {
  const demo = await startDemo(name);
  const rest = common(options, []);
  const own = createFixedSource({
    document: demo.reservations,
    id: "reservations/demo",
    now: options.clock.now,
  });
  return {
    ...rest,
    cluster: { name, kind: "demo", server: demo.url },
    kubernetes: clusterAt(connectionToUrl(demo.url, name), options),
    reservations: [own, ...rest.reservations],
    issues: [],
    demo,
    reads: [
      `demo cluster "${name}" (${why}), kubectl --server=${demo.url}`,
      ...readsFiles(options.config.reservationFiles),
    ],
    close: () => demo.close(),
  };
}

async function openCluster(options: OpenOptions): Promise<OpenedSources> {
  const connection = findCluster(options);
  if (connection === undefined) return openDemo(DEFAULT_DEMO, "no cluster is configured", options);
  const rest = { ...common(options, []), issues: [], demo: undefined, close: async () => {} };
  const files = readsFiles(options.config.reservationFiles);
  if (connection instanceof SourceError) {
    return {
      ...rest,
      cluster: { name: options.env.SEAMLINE_CONTEXT || "kubeconfig", kind: "cluster", server: undefined },
      kubernetes: unreachableCluster(connection.toProblem()),
      reads: [`no cluster: ${connection.message}`, ...files],
    };
  }
  const { name, server } = connection;
  return {
    ...rest,
    cluster: { name, kind: "cluster", server },
    kubernetes: clusterAt(connection, options),
    reads: [`cluster "${name}" at ${server}`, ...files],
  };
}

function findCluster({ env, homeDir }: OpenOptions): Connection | SourceError | undefined {
  try {
    return connectionFromKubeConfig({ env, homeDir });
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
}

function clusterAt(connection: Connection, { clock }: OpenOptions): ClusterSource {
  return createClusterSource({ connection, clock });
}

function common({ config, clock }: OpenOptions, files: readonly string[]) {
  return {
    reservations: reservationSources([...files, ...config.reservationFiles], clock),
    acceleratorNames: config.acceleratorNames,
  };
}

/** One source a file, named after it; after its whole path where two have one name. */
function reservationSources(files: readonly string[], { now }: Clock): ReservationSource[] {
  const distinct = [...new Set(files)];
  const names = distinct.map((file) => basename(file));
  return distinct.map((file, index) => {
    const name = names[index] ?? file;
    const isUnique = names.indexOf(name) === names.lastIndexOf(name);
    return createFileSource({ file, id: `reservations/${isUnique ? name : file}`, now });
  });
}

function readsFiles(files: readonly string[]): string[] {
  return [...new Set(files)].map((file) => `reservations ${file}`);
}
