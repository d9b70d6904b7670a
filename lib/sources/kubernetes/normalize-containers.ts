import type { ContainerRecord, Probe, Termination } from "../../model/kubernetes.ts";
import { type Problems, type RawObject, rawInteger, rawList, rawObject, rawText, rawTime } from "./raw.ts";

/** Init containers first, each list in the order of the spec; statuses of containers that the spec lacks come last. */
export function normalizeContainers(
  spec: RawObject,
  status: RawObject,
  problems: Problems,
): readonly ContainerRecord[] {
  return [
    ...merge(spec.initContainers, status.initContainerStatuses, true, problems),
    ...merge(spec.containers, status.containerStatuses, false, problems),
  ];
}

function merge(containers: unknown, statuses: unknown, init: boolean, problems: Problems): ContainerRecord[] {
  const specField = init ? "spec.initContainers" : "spec.containers";
  const statusField = init ? "status.initContainerStatuses" : "status.containerStatuses";
  const byName = new Map<unknown, RawObject>();
  for (const raw of rawList(statuses, statusField, problems).map(rawObject)) byName.set(raw.name || "", raw);

  // A list that is none is noted by whoever sums up the requests.
  const records = (Array.isArray(containers) ? containers : []).map(rawObject).map((raw) => {
    const status = byName.get(raw.name || "") ?? {};
    byName.delete(raw.name || "");
    return normalizeContainer(raw, specField, status, statusField, init, problems);
  });
  for (const status of byName.values()) {
    records.push(normalizeContainer(status, statusField, status, statusField, init, problems));
  }
  return records;
}

function normalizeContainer(
  spec: RawObject,
  specField: string,
  status: RawObject,
  statusField: string,
  init: boolean,
  problems: Problems,
): ContainerRecord {
  return {
    name: rawText(spec.name, `${specField}[].name`, problems),
    init,
    image: rawText(spec.image || status.image, `${specField}[].image`, problems),
    ready: status.ready === true,
    restarts: rawInteger(status.restartCount, `${statusField}[].restartCount`, problems),
    state: normalizeState(rawObject(status.state), `${statusField}[].state`, problems),
    lastTermination: normalizeTermination(
      rawObject(status.lastState).terminated,
      `${statusField}[].lastState.terminated`,
      problems,
    ),
    livenessProbe: normalizeProbe(spec.livenessProbe, `${specField}[].livenessProbe`, problems),
    startupProbe: normalizeProbe(spec.startupProbe, `${specField}[].startupProbe`, problems),
    extended: extendedResources(rawObject(spec.resources)),
  };
}

/** Their amounts are read, and noted where they are none, with those of the whole pod. */
function extendedResources({ limits, requests }: RawObject): readonly string[] | undefined {
  const names = Object.keys({ ...rawObject(limits), ...rawObject(requests) }).filter((name) =>
    name.includes("/"),
  );
  return names.length > 0 ? names : undefined;
}

function normalizeState(raw: RawObject, field: string, problems: Problems): ContainerRecord["state"] {
  const terminated = normalizeTermination(raw.terminated, `${field}.terminated`, problems);
  if (terminated) return { kind: "terminated", ...terminated };
  if (isPresent(raw.running)) {
    const { startedAt } = rawObject(raw.running);
    return { kind: "running", startedAt: rawTime(startedAt, `${field}.running.startedAt`, problems) };
  }
  if (isPresent(raw.waiting)) {
    const { reason, message } = rawObject(raw.waiting);
    return {
      kind: "waiting",
      reason: rawText(reason, `${field}.waiting.reason`, problems),
      message: rawText(message, `${field}.waiting.message`, problems),
    };
  }
  return { kind: "none" };
}

function normalizeTermination(value: unknown, field: string, problems: Problems): Termination | undefined {
  if (!isPresent(value)) return undefined;
  const raw = rawObject(value);
  return {
    exitCode: rawInteger(raw.exitCode, `${field}.exitCode`, problems),
    reason: rawText(raw.reason, `${field}.reason`, problems),
    message: rawText(raw.message, `${field}.message`, problems),
    startedAt: rawTime(raw.startedAt, `${field}.startedAt`, problems),
    finishedAt: rawTime(raw.finishedAt, `${field}.finishedAt`, problems),
  };
}

/** Absent values are the API server's defaults. */
function normalizeProbe(value: unknown, field: string, problems: Problems): Probe | undefined {
  if (!isPresent(value)) return undefined;
  const raw = rawObject(value);
  return {
    initialDelaySeconds: rawInteger(raw.initialDelaySeconds, `${field}.initialDelaySeconds`, problems),
    periodSeconds: rawInteger(raw.periodSeconds, `${field}.periodSeconds`, problems) || 10,
    failureThreshold: rawInteger(raw.failureThreshold, `${field}.failureThreshold`, problems) || 3,
  };
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
