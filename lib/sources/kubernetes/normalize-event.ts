import type { EventRecord } from "../../model/kubernetes.ts";
import { type Problems, rawInteger, rawMetadata, rawObject, rawText, rawTime } from "./raw.ts";

/**
 * A v1 Event, JSON-shaped, as its record. Never throws. An Event holds its times in the old fields, in the new ones
 * (`eventTime`, `series`) or in both: https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/
 */
export function normalizeEvent(value: unknown): EventRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const about = rawObject(raw.involvedObject);
  const series = rawObject(raw.series);
  const { name, namespace, uid, createdAt } = rawMetadata(raw, problems);
  const first = rawTime(raw.firstTimestamp, "firstTimestamp", problems);
  const last = rawTime(raw.lastTimestamp, "lastTimestamp", problems);
  const once = rawTime(raw.eventTime, "eventTime", problems);
  const again = rawTime(series.lastObservedTime, "series.lastObservedTime", problems);
  return {
    uid,
    namespace,
    name,
    about: {
      kind: rawText(about.kind, "involvedObject.kind", problems),
      namespace: rawText(about.namespace, "involvedObject.namespace", problems),
      name: rawText(about.name, "involvedObject.name", problems),
      uid: rawText(about.uid, "involvedObject.uid", problems),
    },
    type: raw.type === "Warning" ? "Warning" : "Normal",
    reason: rawText(raw.reason, "reason", problems),
    message: rawText(raw.message, "message", problems),
    component:
      rawText(rawObject(raw.source).component, "source.component", problems) ||
      rawText(raw.reportingComponent, "reportingComponent", problems),
    count: Math.max(
      1,
      rawInteger(raw.count, "count", problems),
      rawInteger(series.count, "series.count", problems),
    ),
    firstAt: first ?? once ?? createdAt,
    lastAt: again ?? last ?? once ?? first ?? createdAt,
  };
}
