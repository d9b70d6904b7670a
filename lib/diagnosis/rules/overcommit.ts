import type { Fleet } from "../../layers/fleet.ts";
import { type GpuShare, gpuGroupsOf, gpuShareOf, isGpuReservation } from "../../layers/gpu-share.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import { containerEvidence, podEvidence } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { Question, Rule } from "../question.ts";
import { containerState } from "../runtime/container-state.ts";
import { countInWords, shellWord } from "../wording.ts";

/** A pod whose parts lie on one device. */
export interface Tenant {
  readonly pod: PodRecord;
  readonly share: GpuShare;
}

/**
 * Pods that share one device have been given more of it than there is, and this one does not run well. A crash for lack
 * of GPU memory is then the scheduler's doing, not the workload's.
 */
export const schedulerOvercommit: Rule<Question> = ({ pod, fleet }) => {
  const own = gpuShareOf(pod);
  if (!own || pod.nodeName === undefined || !keepsFailing(pod)) return undefined;
  for (const group of own.groups) {
    const tenants = tenantsOf(fleet).get(`${pod.nodeName}/${group}`) ?? [];
    const over = overOf(tenants, deviceMemory(fleet, pod.nodeName));
    if (!over) continue;
    const others = tenants.filter((tenant) => tenant.pod.uid !== pod.uid);
    const waiting = pod.containers.find(
      ({ state }) => state.kind === "waiting" || state.kind === "terminated",
    );
    const index = pod.annotations["runai-gpu"];
    return {
      reason: "SchedulerOvercommit",
      sure: {
        certainty: "high",
        why: "the parts that the pods on one device were given come to more than the device",
      },
      evidence: [
        ...tenants
          .slice(0, 4)
          .map((tenant) =>
            podEvidence(
              tenant.pod,
              'metadata.labels["runai-gpu-group"]',
              `${group}, ${partInWords(tenant.share)}`,
            ),
          ),
        ...(waiting ? [containerEvidence(pod, waiting, containerState(waiting))] : []),
      ],
      holders: others.map((tenant) => ({
        namespace: tenant.pod.namespace,
        name: tenant.pod.name,
        node: pod.nodeName ?? "",
        gpus: tenant.share.devices,
      })),
      sentence: `${pod.name} does not run well since it shares GPU ${index ?? group} of ${pod.nodeName} with ${countInWords(others.length, "other pod")}: together they were given ${over} of it, more than the device holds.`,
      step: `${countInWords(tenants.length, "pod")} were given ${over} of one GPU`,
      next: [
        `Report it to the owner of ${pod.schedulerName}, and let the surplus pods be placed anew, on GPUs with room.`,
        `kubectl get pods -A -l runai-gpu-group=${shellWord(group)} -o wide`,
      ],
    };
  }
  return undefined;
};

function keepsFailing({ containers }: PodRecord): boolean {
  return containers.some(
    ({ ready, restarts, state }) =>
      !ready && (restarts > 0 || (state.kind === "terminated" && state.exitCode !== 0)),
  );
}

/** How much the tenants have been given, where it is more than there is. */
function overOf(tenants: readonly Tenant[], memory: number | undefined): string | undefined {
  const parts = tenants.map(
    ({ share }) => share.fraction ?? (memory === undefined ? undefined : (share.memory ?? 0) / memory),
  );
  if (parts.some((part) => part === undefined)) return undefined;
  const sum = parts.reduce<number>((total, part) => total + (part ?? 0), 0);
  return sum > 1.001 ? `${Math.round(sum * 100)} %` : undefined;
}

/** MiB of one GPU of the node, where a label says it. https://github.com/NVIDIA/gpu-feature-discovery */
function deviceMemory(fleet: Fleet, node: string): number | undefined {
  const memory = Number(fleet.nodes.get(node)?.record.labels["nvidia.com/gpu.memory"] ?? Number.NaN);
  return Number.isFinite(memory) && memory > 0 ? memory : undefined;
}

/** `NODE/DEVICE` -> the pods that share it. */
export const tenantsOf = perFleet((fleet) => {
  const tenants = new Map<string, Tenant[]>();
  for (const pod of fleet.gpuPods) {
    const share = pod.nodeName === undefined || isGpuReservation(pod) ? undefined : gpuShareOf(pod);
    if (!share) continue;
    for (const group of gpuGroupsOf(pod.labels)) {
      const key = `${pod.nodeName}/${group}`;
      const list = tenants.get(key);
      if (list) list.push({ pod, share });
      else tenants.set(key, [{ pod, share }]);
    }
  }
  return tenants;
});

function partInWords({ fraction, memory }: GpuShare): string {
  return fraction === undefined ? `${memory} MiB` : `${fraction} of a GPU`;
}
