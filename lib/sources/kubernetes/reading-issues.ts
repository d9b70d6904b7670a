import type { Issue } from "../../model/snapshot.ts";
import type { WatchedRecord, WatchedResource } from "./watched-resource.ts";

/** Most fields of one source that are told one by one. */
const FIELD_LIMIT = 1_000;

/** What was odd in what one source has read: fields of its records, and objects that never became one. */
export class ReadingIssues<T extends WatchedRecord> {
  readonly #resource: WatchedResource<T>;
  #unreadable = 0;
  #lastWhy = "";
  #records: readonly T[] = [];
  #fields: readonly Issue[] = [];

  constructor(resource: WatchedResource<T>) {
    this.#resource = resource;
  }

  /** Counts what could not be read as an object or an event at all. */
  addUnreadable(why: string): void {
    this.#unreadable += 1;
    this.#lastWhy = why;
  }

  /** Issues of these records, one for each field, and one with the count of all that was unreadable since the start. */
  list(records: readonly T[]): readonly Issue[] {
    if (records !== this.#records) {
      this.#records = records;
      this.#fields = fieldIssues(this.#resource, records);
    }
    if (this.#unreadable === 0) return this.#fields;
    const unreadable: Issue = {
      code: "UnreadableObject",
      severity: "warning",
      message: `${this.#unreadable} of what was read as ${this.#resource.kind} since the start is no such object; the last: ${this.#lastWhy}`,
      source: this.#resource.id,
    };
    return [...this.#fields, unreadable];
  }
}

function fieldIssues<T extends WatchedRecord>(
  { kind, id }: WatchedResource<T>,
  records: readonly T[],
): readonly Issue[] {
  const issues: Issue[] = [];
  let more = 0;
  for (const { name, namespace, problems = [] } of records) {
    for (const { field, value, expected } of problems) {
      if (issues.length >= FIELD_LIMIT) {
        more += 1;
        continue;
      }
      issues.push({
        code: "UnreadableField",
        severity: "warning",
        message: `${field} is ${value || "empty"}: ${expected} expected, so it is left out`,
        object: { kind, name, ...(namespace === undefined ? {} : { namespace }) },
        source: id,
      });
    }
  }
  if (more > 0) {
    issues.push({
      code: "UnreadableField",
      severity: "warning",
      message: `${more} further fields of ${kind} objects cannot be read and are left out`,
      source: id,
    });
  }
  return issues;
}
