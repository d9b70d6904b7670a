import { z } from "zod";
import type { Issue } from "../../../model/snapshot.ts";
import { problemOf, show } from "../document-problem.ts";
import type { DocumentProblem } from "../format.ts";

/** What a list of a document holds; without problems where it is a list at all. */
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly problems: readonly DocumentProblem[];
  readonly issues: readonly Issue[];
}

/** Unreadable entries that are told one by one; the others are counted. */
const TOLD = 10;

/** Whether `document` is an object with `key`, which is how the documents of the AWS CLI are told apart. */
export function hasKey(document: unknown, key: string): document is Readonly<Record<string, unknown>> {
  return typeof document === "object" && document !== null && key in document;
}

/**
 * The entries of the list `key` that `schema` accepts. Each other entry is an issue, so that one that cannot be read
 * takes none of the others away; no list at all is a problem.
 */
export function readRows<T extends z.ZodType>(
  document: unknown,
  key: string,
  schema: T,
  sourceId: string,
): Rows<z.infer<T>> {
  const list = hasKey(document, key) ? document[key] : undefined;
  if (!Array.isArray(list)) {
    return { rows: [], problems: [{ path: key, expected: "a list", got: show(list) }], issues: [] };
  }
  const rows: z.infer<T>[] = [];
  const unreadable: string[] = [];
  list.forEach((entry: unknown, index) => {
    const parsed = schema.safeParse(entry);
    if (parsed.success) rows.push(parsed.data);
    else unreadable.push(unreadableEntry(parsed.error, `${key}[${index}]`, entry));
  });
  return {
    rows,
    problems: [],
    issues: [...unreadableIssues(unreadable, sourceId), ...more(document, key, sourceId)],
  };
}

function unreadableEntry({ issues: [first] }: z.ZodError, at: string, entry: unknown): string {
  if (!first) return `${at}: cannot be read`;
  const { path, expected, got } = problemOf(first, entry);
  const where = first.path.length === 0 ? at : `${at}.${path}`;
  const id = hasKey(entry, "CapacityReservationId") ? ` (${show(entry.CapacityReservationId)})` : "";
  return `${where}: expected ${expected}, got ${got}${id}`;
}

function unreadableIssues(unreadable: readonly string[], source: string): Issue[] {
  const issue = (message: string): Issue => {
    return { code: "ReservationUnreadable", severity: "error", message, source };
  };
  const rest = unreadable.length - TOLD;
  return [
    ...unreadable.slice(0, TOLD).map((text) => issue(`${text}: this entry was left out`)),
    ...(rest > 0 ? [issue(`${rest} further entries cannot be read and were left out`)] : []),
  ];
}

/** The CLI reads all pages by itself, unless told not to (`--max-items`, `--no-paginate`). */
function more(document: unknown, key: string, source: string): Issue[] {
  if (!hasKey(document, "NextToken") || !document.NextToken) return [];
  const message = `${key} goes on after this page (NextToken): read it without --max-items and --no-paginate`;
  return [{ code: "ReservationsIncomplete", severity: "warning", message, source }];
}

/** Far more than any account has, and few enough that sums stay exact. */
const MOST = 1_000_000;
const COUNT = `a whole number from 0 to ${MOST}`;

const text = z.string({ error: "a text" }).min(1, { error: "a text that is not empty" });

/** Fields as the AWS CLI writes them; it leaves empty ones out. */
export const field = {
  text,
  optionalText: z.string({ error: "a text" }).nullish(),
  count: z.int({ error: COUNT }).min(0, { error: COUNT }).max(MOST, { error: COUNT }),
  /** Epoch milliseconds. CLI v2 writes `…T11:30:00+00:00`, v1 `…T11:30:00.000Z`. */
  moment: z.iso
    .datetime({ offset: true, error: "an ISO 8601 time such as 2026-12-01T00:00:00+00:00" })
    .transform((value) => Date.parse(value)),
};
