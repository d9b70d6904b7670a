import type { SourceErrorCode, SourceProblem } from "../model/snapshot.ts";

/** What beside code and message a SourceError can say. */
export interface SourceErrorDetails {
  /** What the user can do; empty where there is nothing. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Milliseconds that the server asks to wait before the next request. */
  readonly retryAfterMs?: number | undefined;
}

/** The one error that sources throw: something outside could not be read. Its message never holds credentials. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly code: SourceErrorCode;
  readonly hint: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: SourceErrorCode, message: string, details: SourceErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.hint = details.hint ?? "";
    this.retryAfterMs = details.retryAfterMs;
  }

  /** As the status of a source carries it. */
  toProblem(): SourceProblem {
    return { code: this.code, message: this.message, hint: this.hint };
  }
}
