import { basename, resolve } from "node:path";
import type { Issue } from "../model/snapshot.ts";
import { createClusterSource } from "../sources/kubernetes/cluster-source.ts";
import { connectionToUrl } from "../sources/kubernetes/connection.ts";
import { FACT_KINDS } from "../sources/kubernetes/kinds/fact-kinds.ts";
import { groupVersion } from "../sources/kubernetes/served-kinds.ts";
import { loadLogs } from "../sources/snapshot/load-logs.ts";
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
  const { objects, reservationFiles, logFiles, problems } = await loadObjects(path);
  const logs = await loadLogs(logFiles);
  const server = await startApiServer({ objects, logs });
  const name = basename(resolve(path));
  const common = commonParts(options, reservationFiles);
  return {
    ...common,
    cluster: { name, kind: "snapshot", server: undefined },
    kubernetes: createClusterSource({
      connection: connectionToUrl(server.url, name),
      clock: options.clock,
      keepsOldEvents: true,
    }),
    issues: [...problems.map(problemIssue), ...unreadKinds(objects)],
    logs,
    reads: [`snapshot ${path}`, ...common.reads],
    close: () => server.close(),
  };
}

function problemIssue({ file, where, message }: LoadProblem): Issue {
  const text = [file, where, message].filter(Boolean).join(": ");
  return { code: "UnreadableDocument", severity: "error", message: text };
}

/** Objects of other kinds are served, so that kubectl shows them, but nothing on the page is made of them. */
function unreadKinds(objects: readonly KubernetesObject[]): Issue[] {
  const apiVersions = readApiVersions(objects);
  const counts = new Map<string, number>();
  for (const { apiVersion, kind } of objects) {
    if (apiVersions.has(`${apiVersion} ${kind}`)) continue;
    const name = FACT_KINDS.some((one) => one.kind === kind) ? `${kind} of ${apiVersion}` : kind;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const kinds = [...counts].map(([kind, count]) => `${kind} (${count})`).sort();
  return [{ code: "KindNotRead", severity: "info", message: `kinds that are not read: ${kinds.join(", ")}` }];
}

/** `APIVERSION KIND` of what is read: of each kind the best version that is there, since nothing converts the others. */
function readApiVersions(objects: readonly KubernetesObject[]): ReadonlySet<string> {
  const there = new Set(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  const further = FACT_KINDS.flatMap(({ group, kind, versions }) => {
    const names = versions.map((version) => `${groupVersion(group, version)} ${kind}`);
    return names.find((name) => there.has(name)) ?? [];
  });
  return new Set(["v1 Node", "v1 Pod", "v1 Event", ...further]);
}
