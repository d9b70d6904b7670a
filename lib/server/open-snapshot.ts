import { basename, resolve } from "node:path";
import type { Issue } from "../model/snapshot.ts";
import { createClusterSource } from "../sources/kubernetes/cluster-source.ts";
import { connectionToUrl } from "../sources/kubernetes/connection.ts";
import { type LoadProblem, loadObjects } from "../sources/snapshot/load-objects.ts";
import { type KubernetesObject, startApiServer } from "../testing/api-server/api-server.ts";
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
    issues: [...problems.map(problemIssue), ...unreadKinds(objects)],
    reads: [`snapshot ${path}`, ...common.reads],
    close: () => server.close(),
  };
}

function problemIssue({ file, where, message }: LoadProblem): Issue {
  const text = [file, where, message].filter(Boolean).join(": ");
  return { code: "UnreadableDocument", severity: "error", message: text };
}

const KINDS = new Set(["Node", "Pod", "Event"]);

/** Objects of other kinds are served, so that kubectl shows them, but nothing on the page is made of them. */
function unreadKinds(objects: readonly KubernetesObject[]): Issue[] {
  const counts = new Map<string, number>();
  for (const { kind } of objects) if (!KINDS.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (counts.size === 0) return [];
  const kinds = [...counts].map(([kind, count]) => `${kind} (${count})`).sort();
  return [{ code: "KindNotRead", severity: "info", message: `kinds that are not read: ${kinds.join(", ")}` }];
}
