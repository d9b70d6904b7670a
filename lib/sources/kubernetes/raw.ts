import type { Condition, FieldProblem, Labels, OwnerReference } from "../../model/kubernetes.ts";
import { memo } from "../../model/memo.ts";
import { Pool } from "./pool.ts";

/**
 * Safe access to JSON-shaped values whose shape nothing guarantees. Absent and null read as empty; what is there but of
 * another shape is a FieldProblem.
 */
export type RawObject = Readonly<Record<string, unknown>>;

/** Where field problems of one object are collected. */
export type Problems = FieldProblem[];

/** Longest text that is kept; the end of a longer one becomes `…`. */
const TEXT_LIMIT = 1_000;

/** Most problems that are kept of one object. */
const PROBLEM_LIMIT = 50;

/** Longest text that is looked for among those that are there already; longer ones are hardly ever alike. */
const SHARED_LENGTH = 100;
const texts = new Pool<string>((text) => text);
const labelMaps = new Pool<Labels>(JSON.stringify);

const EMPTY: RawObject = {};
const NONE: readonly unknown[] = [];
const NO_ITEMS: readonly never[] = [];
const NO_LABELS: Labels = {};

/** Notes that `field` held `value` where `expected` was due. */
export function addProblem(problems: Problems, field: string, value: unknown, expected: string): void {
  if (problems.length >= PROBLEM_LIMIT) return;
  // One wire leaves out what the other sends empty.
  const text = typeof value === "string" ? value : value == null ? "" : JSON.stringify(value);
  problems.push({ field, value: cut(text, 80), expected });
}

/** `value` as an object; `{}`, without a word, where it is none. */
export function rawObject(value: unknown): RawObject {
  return isRawObject(value) ? value : EMPTY;
}

/** `value` as an object; `{}` where it is none. */
export function rawMap(value: unknown, field: string, problems: Problems): RawObject {
  if (value !== undefined && value !== null && !isRawObject(value)) {
    addProblem(problems, field, value, "an object");
  }
  return rawObject(value);
}

/** The elements of `value`; none where it is no list. */
export function rawList(value: unknown, field: string, problems: Problems): readonly unknown[] {
  if (value === undefined || value === null) return NONE;
  if (Array.isArray(value)) return value;
  addProblem(problems, field, value, "a list");
  return NONE;
}

/** What `read` makes of each element of `value`; all that are empty are one list, since most lists of 100,000 pods are. */
export function rawItems<T>(
  value: unknown,
  field: string,
  problems: Problems,
  read: (item: unknown) => T,
): readonly T[] {
  const list = rawList(value, field, problems);
  return list.length === 0 ? NO_ITEMS : list.map(read);
}

/** `value` as text of at most `TEXT_LIMIT` characters; "" where it is no string. */
export function rawText(value: unknown, field: string, problems: Problems): string {
  if (typeof value === "string") return share(value);
  if (value !== undefined && value !== null) addProblem(problems, field, value, "a string");
  return "";
}

/** `rawText`, with undefined for the empty string. */
export function rawOptionalText(value: unknown, field: string, problems: Problems): string | undefined {
  return rawText(value, field, problems) || undefined;
}

/** `value` as an integer; `fallback` where it is none. */
export function rawInteger(value: unknown, field: string, problems: Problems, fallback = 0): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (value !== undefined && value !== null) addProblem(problems, field, value, "an integer");
  return fallback;
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** `value` as epoch milliseconds; undefined where it is no time. The zero time of either wire means absent. */
export function rawTime(value: unknown, field: string, problems: Problems): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const at = typeof value === "string" ? parseTime(value) : Number.NaN;
  if (Number.isNaN(at)) {
    addProblem(problems, field, value, "a time as in RFC 3339");
    return undefined;
  }
  return at > 0 ? at : undefined;
}

const parseTime = memo((text: string) => (RFC3339.test(text) ? Date.parse(text) : Number.NaN));

/** `value` as a map of strings. */
export function rawLabels(value: unknown, field: string, problems: Problems): Labels {
  const entries = Object.entries(rawMap(value, field, problems));
  if (entries.length === 0) return NO_LABELS;
  const labels: Record<string, string> = {};
  for (const [key, text] of entries) {
    labels[key] =
      typeof text === "string" ? share(text) : rawText(text, `${field}[${JSON.stringify(key)}]`, problems);
  }
  return labelMaps.share(labels);
}

const STATUSES: ReadonlySet<unknown> = new Set(["True", "False", "Unknown"]);

/** `status.conditions` of a node or pod. */
export function rawConditions(value: unknown, problems: Problems): readonly Condition[] {
  return rawList(value, "status.conditions", problems).map((entry) => {
    const raw = rawObject(entry);
    const known = STATUSES.has(raw.status);
    if (!known) addProblem(problems, "status.conditions[].status", raw.status, "True, False or Unknown");
    return {
      type: rawText(raw.type, "status.conditions[].type", problems),
      status: raw.status === "True" || raw.status === "False" ? raw.status : "Unknown",
      reason: rawText(raw.reason, "status.conditions[].reason", problems),
      message: rawText(raw.message, "status.conditions[].message", problems),
      lastTransitionTime: rawTime(raw.lastTransitionTime, "status.conditions[].lastTransitionTime", problems),
    };
  });
}

/** The object's uid; `NAMESPACE/NAME` where it has none, so that hand-written objects have an identity too. */
export function rawUid(value: unknown): string {
  const { uid, namespace, name } = rawObject(rawObject(value).metadata);
  return asText(uid) || `${asText(namespace)}/${asText(name)}`;
}

/** What every object's metadata gives. */
export function rawMetadata(raw: RawObject, problems: Problems) {
  const metadata = rawMap(raw.metadata, "metadata", problems);
  // No other object has the same one.
  const name =
    typeof metadata.name === "string"
      ? cut(metadata.name, TEXT_LIMIT)
      : rawText(metadata.name, "metadata.name", problems);
  const namespace = rawText(metadata.namespace, "metadata.namespace", problems);
  return {
    name,
    namespace,
    uid: rawUid(raw),
    labels: rawLabels(metadata.labels, "metadata.labels", problems),
    createdAt: rawTime(metadata.creationTimestamp, "metadata.creationTimestamp", problems),
    deletedAt: rawTime(metadata.deletionTimestamp, "metadata.deletionTimestamp", problems),
  };
}

/** The controller among the owner references. https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/ */
export function rawOwner(raw: RawObject, problems: Problems): OwnerReference | undefined {
  const owners = rawList(rawObject(raw.metadata).ownerReferences, "metadata.ownerReferences", problems);
  const owner = owners.map(rawObject).find(({ controller }) => controller === true);
  if (!owner) return undefined;
  return {
    kind: rawText(owner.kind, "metadata.ownerReferences[].kind", problems),
    name: rawText(owner.name, "metadata.ownerReferences[].name", problems),
    uid: rawText(owner.uid, "metadata.ownerReferences[].uid", problems),
  };
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isRawObject(value: unknown): value is RawObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function share(text: string): string {
  return text.length <= SHARED_LENGTH ? texts.share(text) : cut(text, TEXT_LIMIT);
}

/** What is cut is a copy, since V8 keeps the whole of a string alive for a slice of it. */
function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${Buffer.from(text.slice(0, limit - 1)).toString()}…`;
}
