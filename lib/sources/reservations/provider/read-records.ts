import type { z } from "zod";
import type { Issue } from "../../../model/snapshot.ts";
import { problemOf } from "../document-problem.ts";

/** Most records of one document that are told to be wrong one by one. */
const TOLD = 20;

/**
 * The records that are what `schema` says. Each other one becomes an issue that names it: what one record lacks does
 * not take the rest away. `what` says what a record should be, in the singular.
 */
export function readRecords<T extends z.ZodType>(
  records: readonly unknown[],
  schema: T,
  { sourceId, what }: { readonly sourceId: string; readonly what: string },
): { readonly good: readonly z.infer<T>[]; readonly issues: readonly Issue[] } {
  const good: z.infer<T>[] = [];
  const wrong: string[] = [];
  records.forEach((record, index) => {
    const parsed = schema.safeParse(record);
    if (parsed.success) good.push(parsed.data);
    else
      wrong.push(
        `${what} ${nameOf(record) ?? `number ${index + 1}`} is left out: ${firstProblem(parsed.error, record)}`,
      );
  });
  const messages = wrong.slice(0, TOLD);
  if (wrong.length > TOLD)
    messages.push(`${wrong.length - TOLD} more records of the kind ${what} are left out`);
  return { good, issues: messages.map((message) => invalid(message, sourceId)) };
}

function invalid(message: string, source: string): Issue {
  return { code: "ReservationUnreadable", severity: "error", message, source };
}

/** The value of `value` at `key`; undefined where it has none. */
export function fieldOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** The records of a list: the document itself, or its `items`; empty where it is none. */
export function itemsOf(document: unknown): readonly unknown[] {
  const items = Array.isArray(document) ? document : fieldOf(document, "items");
  return Array.isArray(items) ? items : [];
}

function nameOf(record: unknown): string | undefined {
  const names = [record, fieldOf(record, "metadata")].flatMap((value) => [
    fieldOf(value, "name"),
    fieldOf(value, "displayName"),
    fieldOf(value, "id"),
  ]);
  return names.find((name): name is string => typeof name === "string" && name !== "");
}

function firstProblem({ issues: [first] }: z.ZodError, record: unknown): string {
  if (!first) return "it cannot be read";
  const { path, expected, got } = problemOf(first, record);
  return `${path}: expected ${expected}, got ${got}`;
}
