import { basename, resolve } from "node:path";
import type { Issue } from "../model/snapshot.ts";
import { createClusterSource } from "../sources/kubernetes/cluster-source.ts";
import { connectionToUrl } from "../sources/kubernetes/connection.ts";
import { loadObjects } from "../sources/snapshot/load-objects.ts";
import { startApiServer } from "../testing/api-server/api-server.ts";
import { type CommonOptions, commonParts, type OpenedSources } from "./opened-sources.ts";

/**
 * Loads a snapshot, a file or a folder, and serves it as a Kubernetes API on loopback, to be read as any cluster is.
 * What in it is no Kubernetes object becomes an issue.
 *
 * @throws Error where `path` cannot be read at all
 */
export async function openSnapshot(path: string, options: CommonOptions): Promise<OpenedSources> {
  const { objects, reservationFiles, problems } = await loadObjects(path);
  const server = await startApiServer({ objects });
  const name = basename(resolve(path));
  const common = commonParts(options, reservationFiles);
  return {
    ...common,
    cluster: { name, kind: "snapshot", server: undefined },
    kubernetes: createClusterSource({ connection: connectionToUrl(server.url, name), clock: options.clock }),
    issues: problems.map(({ file, where, message }): Issue => {
      const text = [file, where, message].filter(Boolean).join(": ");
      return { code: "UnreadableDocument", severity: "error", message: text };
    }),
    reads: [`snapshot ${path}`, ...common.reads],
    close: () => server.close(),
  };
}
