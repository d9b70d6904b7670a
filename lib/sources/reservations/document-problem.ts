import type { z } from "zod";
import type { DocumentProblem } from "./format.ts";

/** What a zod schema found wrong in `document`, with the value that is there. */
export function problemOf(issue: z.core.$ZodIssue, document: unknown): DocumentProblem {
  const path = issue.path.reduce<string>(
    (text, key) =>
      typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key),
    "",
  );
  const got = issue.path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    document,
  );
  return {
    path: path || "(document)",
    expected: issue.message.replace(/^Invalid input: expected (.*?)(?:, received .*)?$/, "$1"),
    got: show(got),
  };
}

/** A value in a message: as JSON, cut at 80 characters. */
export function show(value: unknown): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
