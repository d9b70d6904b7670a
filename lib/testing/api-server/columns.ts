import { ageOf } from "./human-duration.ts";
import { listAt, textAt, valueAt } from "./json-value.ts";
import { podReady, podRestarts, podStatus } from "./pod-summary.ts";

/** One column of a table. */
interface Column {
  readonly name: string;
  /** Only with `-o wide`. */
  readonly wide?: boolean;
  readonly cell: (object: unknown, now: number) => string;
}

const NAME: Column = { name: "Name", cell: (object) => textAt(object, "metadata", "name") };
const AGE: Column = {
  name: "Age",
  cell: (object, now) => ageOf(textAt(object, "metadata", "creationTimestamp"), now),
};

/** Kind -> the columns that kubectl users know. */
export const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  Node: [
    NAME,
    { name: "Status", cell: nodeStatus },
    { name: "Roles", cell: nodeRoles },
    AGE,
    { name: "Version", cell: (node) => nodeInfo(node, "kubeletVersion") },
    { name: "Internal-IP", wide: true, cell: (node) => address(node, "InternalIP") },
    { name: "External-IP", wide: true, cell: (node) => address(node, "ExternalIP") },
    { name: "OS-Image", wide: true, cell: (node) => nodeInfo(node, "osImage") || "<unknown>" },
    { name: "Kernel-Version", wide: true, cell: (node) => nodeInfo(node, "kernelVersion") || "<unknown>" },
    {
      name: "Container-Runtime",
      wide: true,
      cell: (node) => nodeInfo(node, "containerRuntimeVersion") || "<unknown>",
    },
  ],
  Pod: [
    NAME,
    { name: "Ready", cell: podReady },
    { name: "Status", cell: podStatus },
    { name: "Restarts", cell: podRestarts },
    AGE,
    { name: "IP", wide: true, cell: (pod) => textAt(pod, "status", "podIP") || "<none>" },
    { name: "Node", wide: true, cell: (pod) => textAt(pod, "spec", "nodeName") || "<none>" },
    {
      name: "Nominated Node",
      wide: true,
      cell: (pod) => textAt(pod, "status", "nominatedNodeName") || "<none>",
    },
  ],
  Event: [
    { name: "Last Seen", cell: (event, now) => ageOf(lastSeen(event), now) },
    { name: "Type", cell: (event) => textAt(event, "type") },
    { name: "Reason", cell: (event) => textAt(event, "reason") },
    {
      name: "Object",
      cell: (event) =>
        `${textAt(event, "involvedObject", "kind").toLowerCase()}/${textAt(event, "involvedObject", "name")}`,
    },
    { name: "Message", cell: (event) => textAt(event, "message").trim() },
    {
      name: "Count",
      wide: true,
      cell: (event) => textAt(event, "series", "count") || textAt(event, "count"),
    },
    { ...NAME, wide: true },
  ],
};

function nodeStatus(node: unknown): string {
  const ready = listAt(node, "status", "conditions").find(
    (condition) => textAt(condition, "type") === "Ready",
  );
  const status = !ready ? "Unknown" : textAt(ready, "status") === "True" ? "Ready" : "NotReady";
  return valueAt(node, "spec", "unschedulable") === true ? `${status},SchedulingDisabled` : status;
}

function nodeRoles(node: unknown): string {
  const prefix = "node-role.kubernetes.io/";
  const roles = Object.keys(Object(valueAt(node, "metadata", "labels")))
    .filter((label) => label.startsWith(prefix))
    .map((label) => label.slice(prefix.length));
  return roles.sort().join(",") || "<none>";
}

function nodeInfo(node: unknown, field: string): string {
  return textAt(node, "status", "nodeInfo", field);
}

function address(node: unknown, type: string): string {
  const found = listAt(node, "status", "addresses").find((each) => textAt(each, "type") === type);
  return textAt(found, "address") || "<none>";
}

function lastSeen(event: unknown): string {
  return (
    textAt(event, "series", "lastObservedTime") ||
    textAt(event, "lastTimestamp") ||
    textAt(event, "eventTime")
  );
}
