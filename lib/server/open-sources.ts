import { startDemo } from "../demo/demo.ts";
import { createClusterSource } from "../sources/kubernetes/cluster-source.ts";
import {
  type Connection,
  connectionFromKubeConfig,
  connectionToUrl,
} from "../sources/kubernetes/connection.ts";
import { createFixedSource } from "../sources/reservations/fixed-source.ts";
import { SourceError } from "../sources/source-error.ts";
import type { ConfiguredSource } from "./config.ts";
import { readConfigFile, type Settings } from "./config-file.ts";
import { openSnapshot } from "./open-snapshot.ts";
import { type CommonOptions, commonParts, type OpenedSources } from "./opened-sources.ts";
import { unreachableCluster } from "./unreachable-cluster.ts";

/** The demo that is shown where no cluster is configured at all. */
const DEFAULT_DEMO = "fleet";

export interface OpenOptions extends CommonOptions {
  /** For the cluster: KUBECONFIG, SEAMLINE_CONTEXT, KUBERNETES_SERVICE_HOST and what exec plugins need. */
  readonly env: NodeJS.ProcessEnv;
  /** Where `.kube/config` is looked for. */
  readonly homeDir: string;
}

/**
 * Opens what is configured: a snapshot, a demo or a cluster, and the reservations beside it.
 *
 * @throws Error where a snapshot's path cannot be read. A cluster that cannot be reached is a state, no error.
 */
export async function openSources(source: ConfiguredSource, options: OpenOptions): Promise<OpenedSources> {
  if (source.kind === "snapshot") return openSnapshot(source.path, options);
  if (source.kind === "demo") return openDemo(source.name, "SEAMLINE_DEMO", options);
  const connection = findCluster(options);
  if (connection === undefined) return openDemo(DEFAULT_DEMO, "no cluster is configured", options);
  return openCluster(connection, options);
}

async function openDemo(name: string, why: string, options: CommonOptions): Promise<OpenedSources> {
  const { clock } = options;
  const demo = await startDemo(name);
  const common = commonParts(options);
  const { settings } = common;
  const own = [...demo.providers, { name: "demo", documents: [demo.reservations] }];
  return {
    ...common,
    cluster: { name, kind: "demo", server: demo.url },
    kubernetes: createClusterSource({ connection: connectionToUrl(demo.url, name), clock }),
    reservations: [
      ...own.map(({ name: of, documents }) =>
        createFixedSource({ documents, id: `reservations/${of}`, now: clock.now }),
      ),
      ...common.reservations,
    ],
    settings:
      demo.settingsFile === undefined ? settings : addSettings(settings, readConfigFile(demo.settingsFile)),
    demo,
    reads: [`demo cluster "${name}" (${why}), kubectl --server=${demo.url}`, ...common.reads],
    close: () => demo.close(),
  };
}

/** The demo's own prices and owners come after those that are configured. */
function addSettings(settings: Settings, { prices, owners }: Settings): Settings {
  return {
    ...settings,
    prices: [...settings.prices, ...prices],
    owners: [...settings.owners, ...owners],
  };
}

function openCluster(connection: Connection | SourceError, options: OpenOptions): OpenedSources {
  const common = { ...commonParts(options), close: async () => {} };
  if (connection instanceof SourceError) {
    return {
      ...common,
      cluster: { name: options.env.SEAMLINE_CONTEXT || "kubeconfig", kind: "cluster", server: undefined },
      kubernetes: unreachableCluster(connection.toProblem()),
      reads: [`no cluster: ${connection.message}`, ...common.reads],
    };
  }
  const { name, server } = connection;
  return {
    ...common,
    cluster: { name, kind: "cluster", server },
    kubernetes: createClusterSource({ connection, clock: options.clock }),
    reads: [`cluster "${name}" at ${server}`, ...common.reads],
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
