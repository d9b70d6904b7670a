import { diagnose } from "../diagnosis/diagnose.ts";
import type { Subject } from "../diagnosis/find-subject.ts";
import type { LogLookup } from "../diagnosis/question.ts";
import type { Fleet } from "../layers/fleet.ts";
import type { PodRecord } from "../model/kubernetes.ts";
import type { ClusterSource } from "../sources/kubernetes/cluster-source.ts";

/** Most pods whose logs are read in one go. */
const PODS = 50;

/**
 * The logs of a pod, or of those that are stuck (at most PODS), read now; what cannot be read is told, a line each.
 */
export async function logsOfStuckPods(
  fleet: Fleet,
  options: { now: number; pod: Subject | undefined; readLogs: ClusterSource["readLogs"] },
): Promise<{ readonly lookup: LogLookup; readonly problems: readonly string[] }> {
  const { pod: asked, readLogs } = options;
  const wanted = asked ? [asked] : stuckPods(fleet, options.now);
  const names = new Set(wanted.map(({ namespace, name }) => `${namespace}/${name}`));
  const pods = fleet.pods.filter(({ namespace, name }) => names.has(`${namespace}/${name}`));
  const texts = new Map<string, string>();
  const problems: string[] = [];
  for (const pod of pods.slice(0, PODS)) {
    for (const { name: container, restarts } of pod.containers.filter(hasRun)) {
      const { namespace, name } = pod;
      try {
        const { previous, current } = await readLogs({
          namespace,
          pod: name,
          container,
          restarted: restarts > 0,
        });
        texts.set(`${namespace}/${name}/${container}`, [previous, current].filter(Boolean).join("\n"));
      } catch (error) {
        problems.push(
          `logs of ${namespace}/${name}, container ${container}: ${error instanceof Error ? error.message : error}`,
        );
      }
    }
  }
  if (pods.length > PODS) problems.push(`logs of ${pods.length - PODS} further pods were not read`);
  return { lookup: (namespace, name, container) => texts.get(`${namespace}/${name}/${container}`), problems };
}

function stuckPods(fleet: Fleet, now: number): readonly { namespace: string; name: string }[] {
  return diagnose(fleet, now).filter(({ kind }) => kind === "Pod");
}

function hasRun({ state, restarts }: PodRecord["containers"][number]): boolean {
  return restarts > 0 || state.kind === "running" || state.kind === "terminated";
}
