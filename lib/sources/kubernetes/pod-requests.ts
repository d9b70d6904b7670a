import type { Resources } from "../../model/kubernetes.ts";
import { type Problems, type RawObject, rawList, rawObject } from "./raw.ts";
import { rawResources } from "./raw-resources.ts";

type Amounts = Record<string, number>;

/**
 * What the scheduler reserves for a pod of this spec: the larger of what its containers and sidecars need together and
 * what each init container needs beside the sidecars started before it; pod-level requests instead, for the resources
 * that they name; plus the runtime's overhead. `pods` is 1.
 * https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
 * https://kubernetes.io/docs/tasks/configure-pod-container/assign-pod-level-resources/
 */
export function effectiveRequests(spec: RawObject, problems: Problems): Resources {
  const total: Amounts = {};
  rawList(spec.containers, "spec.containers", problems).forEach((container, index) => {
    add(total, containerRequests(container, `spec.containers[${index}]`, problems));
  });

  const sidecars: Amounts = {};
  const whileStarting: Amounts = {};
  rawList(spec.initContainers, "spec.initContainers", problems).forEach((container, index) => {
    const own = containerRequests(container, `spec.initContainers[${index}]`, problems);
    if (rawObject(container).restartPolicy === "Always") {
      add(total, own);
      add(sidecars, own);
      raise(whileStarting, sidecars);
    } else {
      const needed = { ...own };
      add(needed, sidecars);
      raise(whileStarting, needed);
    }
  });
  raise(total, whileStarting);

  const podLevel = rawObject(spec.resources);
  const podLimits = rawResources(podLevel.limits, "spec.resources.limits", problems);
  const podRequests = rawResources(podLevel.requests, "spec.resources.requests", problems);
  const requests = { ...podLimits, ...total, ...podRequests };
  add(requests, rawResources(spec.overhead, "spec.overhead", problems));
  return { ...requests, pods: 1 };
}

/** Requests default to limits, as the API server sets them: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/ */
function containerRequests(container: unknown, field: string, problems: Problems): Resources {
  const resources = rawObject(rawObject(container).resources);
  const requests = rawResources(resources.requests, `${field}.resources.requests`, problems);
  if (resources.limits === undefined) return requests;
  return { ...rawResources(resources.limits, `${field}.resources.limits`, problems), ...requests };
}

function add(sum: Amounts, amounts: Resources): void {
  for (const [name, amount] of Object.entries(amounts)) sum[name] = (sum[name] ?? 0) + amount;
}

function raise(maximum: Amounts, amounts: Resources): void {
  for (const [name, amount] of Object.entries(amounts)) {
    maximum[name] = Math.max(maximum[name] ?? 0, amount);
  }
}
