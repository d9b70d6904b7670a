import type { PodTemplate } from "../../../model/facts/controllers.ts";
import { effectiveRequests } from "../pod-requests.ts";
import { type Problems, type RawObject, rawObject } from "../raw.ts";

/** How deep a pod template lies at most in the kinds that are read, and how many of them are kept. */
const DEPTH = 12;
const MOST = 200;

/**
 * The pod templates anywhere within a spec: whatever has a list of containers, a container of its own as the steps of an
 * Argo Workflow have, or resources for each node as a TrainJob has. Replicas of the parts around it multiply.
 */
export function podTemplates(spec: RawObject, problems: Problems): readonly PodTemplate[] {
  const found: PodTemplate[] = [];
  walk(spec, [], 1, found, problems);
  return found;
}

function walk(
  value: unknown,
  path: readonly string[],
  replicas: number,
  found: PodTemplate[],
  problems: Problems,
): void {
  if (path.length > DEPTH || found.length >= MOST) return;
  if (Array.isArray(value)) {
    value.forEach((one: unknown, index) => {
      const { name } = rawObject(one);
      const label = typeof name === "string" ? name : String(index);
      walk(one, [...path, label], replicas, found, problems);
    });
    return;
  }
  const raw = rawObject(value);
  const podSpec = podSpecOf(raw);
  if (podSpec) {
    found.push({
      name: path.filter((part) => part !== "template" && part !== "spec").join("."),
      replicas: isCount(raw.numNodes) ? replicas * raw.numNodes : replicas,
      requests: effectiveRequests(podSpec, problems),
    });
    return;
  }
  const times = replicas * replicasOf(raw);
  for (const [key, inner] of Object.entries(raw)) {
    if (typeof inner === "object" && inner !== null) walk(inner, [...path, key], times, found, problems);
  }
}

/** A pod's spec as it is, the trainer of a TrainJob, or a step of a workflow with its one container and its sidecars. */
function podSpecOf(raw: RawObject): RawObject | undefined {
  if (Array.isArray(raw.containers)) return raw;
  if (typeof raw.resourcesPerNode === "object" && raw.resourcesPerNode !== null) {
    return { containers: [{ name: "trainer", resources: raw.resourcesPerNode }] };
  }
  const step = raw.container ?? raw.script;
  if (typeof step !== "object" || step === null) return undefined;
  const sidecars = Array.isArray(raw.sidecars) ? raw.sidecars : [];
  return { ...raw, containers: [step, ...sidecars] };
}

/** Of a group of leader and workers, `size` counts both. */
function replicasOf(raw: RawObject): number {
  const { replicas, parallelism, size } = raw;
  const groups = isCount(replicas) ? replicas : isCount(parallelism) ? parallelism : 1;
  return isCount(size) && size > 0 ? groups * size : groups;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
