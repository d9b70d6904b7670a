import { memo } from "../../model/memo.ts";
import { ProtobufError } from "./protobuf-error.ts";

/** `Time` and `MicroTime` on the wire; both fields absent is the zero time, which is null in JSON. */
export interface WireTime {
  readonly seconds: number;
  readonly nanos: number;
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?(?:Z|[+-]\d\d:\d\d)$/i;

/** `2026-12-01T08:00:00Z`; with `micro`, six decimals. A time beyond the calendar comes as its seconds, not as a date. */
export function isoTime({ seconds, nanos }: WireTime, micro: boolean): string {
  const text = wholeSeconds(seconds);
  if (!micro || !text.endsWith("Z")) return text;
  return `${text.slice(0, -1)}.${String(Math.floor(nanos / 1_000)).padStart(6, "0")}Z`;
}

const wholeSeconds = memo((seconds: number) => {
  const date = new Date(seconds * 1_000);
  return Number.isNaN(date.getTime()) ? `${seconds}s` : `${date.toISOString().slice(0, -5)}Z`;
});

/** Reads an RFC 3339 time; a `Time` has no fraction, as API servers send it. Throws a ProtobufError. */
export function wireTime(text: unknown, micro: boolean, path: string): WireTime {
  const match = typeof text === "string" ? RFC3339.exec(text) : null;
  const milliseconds = match ? Date.parse(match[0]) : Number.NaN;
  if (!match || Number.isNaN(milliseconds)) throw new ProtobufError(`${path}: RFC 3339 time expected`);
  const nanos = micro ? Number((match[1] ?? "").slice(0, 6).padEnd(6, "0")) * 1_000 : 0;
  return { seconds: Math.floor(milliseconds / 1_000), nanos };
}
