import type { SourceErrorCode } from "../../../model/snapshot.ts";
import { SourceError } from "../../source-error.ts";

/** A call to a provider's API that did not succeed. */
export interface FailedCall {
  readonly code: SourceErrorCode;
  /** The call, or the permission it needs, and where it was made, e.g. `ec2:DescribeInstances in us-east-2`. */
  readonly call: string;
  /** The provider's own words; refusals may carry a long encoded text, which is cut. */
  readonly said: string;
  /** What to do about each code that only this provider's users can mend. */
  readonly hints: Partial<Record<SourceErrorCode, string>>;
  /** What the SDK threw. */
  readonly cause: unknown;
  /** The header `Retry-After`, where the SDK keeps it. */
  readonly retryAfter?: unknown;
}

/** Longest text of a provider that is kept. */
const MESSAGE_LIMIT = 300;

/** Longest wait that a provider is granted, in milliseconds. */
const LONGEST_RETRY_AFTER = 900_000;

const HINTS: FailedCall["hints"] = {
  "rate-limited": "It is tried again, more slowly.",
  unreachable: "Check network and proxy. It is tried again.",
};

/** Why a call did not succeed, with the call itself, and what to do about it. */
export function callError({ code, call, said, hints, cause, retryAfter }: FailedCall): SourceError {
  const words = said.length > MESSAGE_LIMIT ? `${said.slice(0, MESSAGE_LIMIT)}…` : said;
  return new SourceError(code, `${call}: ${words}`, {
    hint: hints[code] ?? HINTS[code] ?? "",
    cause,
    retryAfterMs: retryAfterMs(retryAfter),
  });
}

/** `Retry-After` in seconds. */
function retryAfterMs(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^\d{1,9}$/.test(value)) return undefined;
  return Math.min(Number(value) * 1_000, LONGEST_RETRY_AFTER);
}
