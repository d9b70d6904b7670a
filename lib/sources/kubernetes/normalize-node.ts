import type { NodeRecord, Resources, Taint } from "../../model/kubernetes.ts";
import {
  addProblem,
  type Problems,
  type RawObject,
  rawConditions,
  rawList,
  rawMap,
  rawMetadata,
  rawObject,
  rawOptionalText,
  rawText,
  rawTime,
} from "./raw.ts";
import { rawResources } from "./raw-resources.ts";

/** A v1 Node, JSON-shaped, as its record. Never throws: what cannot be read is left out and among `problems`. */
export function normalizeNode(value: unknown): NodeRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const status = rawMap(raw.status, "status", problems);
  const { name, uid, labels, createdAt, deletedAt } = rawMetadata(raw, problems);
  return {
    name,
    uid,
    labels,
    createdAt,
    deletedAt,
    providerId: rawOptionalText(spec.providerID, "spec.providerID", problems),
    unschedulable: spec.unschedulable === true,
    taints: rawList(spec.taints, "spec.taints", problems).flatMap((taint) =>
      normalizeTaint(rawObject(taint), problems),
    ),
    capacity: someResources(status.capacity, "status.capacity", problems),
    allocatable: someResources(status.allocatable, "status.allocatable", problems),
    conditions: rawConditions(status.conditions, problems),
    kubeletVersion: rawOptionalText(
      rawObject(status.nodeInfo).kubeletVersion,
      "status.nodeInfo.kubeletVersion",
      problems,
    ),
    registeredGpus: registeredGpus(raw),
    problems,
  };
}

/**
 * Devices that HAMi's plugin has registered: a JSON list, or before v2.5 fields between commas that end in a colon each.
 * https://project-hami.io/docs/developers/protocol/
 */
function registeredGpus(raw: RawObject): number | undefined {
  const annotations = rawObject(rawObject(raw.metadata).annotations);
  const list = annotations["hami.io/node-nvidia-register"] ?? annotations["4pd.io/node-nvidia-register"];
  if (typeof list !== "string") return undefined;
  const count = list.trimStart().startsWith("[")
    ? (list.match(/"id"\s*:/g) ?? []).length
    : list.split(":").filter((device) => device.split(",").length > 4).length;
  return count > 0 ? count : undefined;
}

function someResources(value: unknown, field: string, problems: Problems): Resources | undefined {
  const resources = rawResources(value, field, problems);
  return Object.keys(rawObject(value)).length > 0 ? resources : undefined;
}

function normalizeTaint(raw: RawObject, problems: Problems): readonly Taint[] {
  const { effect } = raw;
  if (effect !== "NoSchedule" && effect !== "PreferNoSchedule" && effect !== "NoExecute") {
    addProblem(problems, "spec.taints[].effect", effect, "NoSchedule, PreferNoSchedule or NoExecute");
    return [];
  }
  return [
    {
      key: rawText(raw.key, "spec.taints[].key", problems),
      value: rawText(raw.value, "spec.taints[].value", problems),
      effect,
      timeAdded: rawTime(raw.timeAdded, "spec.taints[].timeAdded", problems),
    },
  ];
}
