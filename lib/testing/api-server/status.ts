/** A Kubernetes Status object, as errors are told. https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Record<string, never>;
  readonly status: "Failure";
  readonly message: string;
  readonly reason: string;
  readonly details?: {
    readonly causes?: readonly { readonly reason: string; readonly message: string }[];
    readonly retryAfterSeconds?: number;
  };
  readonly code: number;
}

/** An answer that is a Status: thrown by the handlers, sent in the negotiated format. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: Status;

  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }
}

/** HTTP code -> reason and message as API servers give them. */
const REASONS: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ["BadRequest", "the request is not valid"],
  401: ["Unauthorized", "Unauthorized"],
  403: ["Forbidden", "forbidden"],
  404: ["NotFound", "the server could not find the requested resource"],
  405: ["MethodNotAllowed", "the server does not allow this method on the requested resource"],
  406: ["NotAcceptable", "only the following media types are accepted: application/json"],
  410: ["Expired", "too old resource version"],
  422: ["Invalid", "invalid"],
  429: ["TooManyRequests", "Too many requests, please try again later."],
  500: ["InternalError", "Internal error occurred: etcdserver: request timed out"],
  503: ["ServiceUnavailable", "apiserver not ready"],
  504: ["Timeout", "the server was unable to return a response in the time allotted"],
};

/** The Status of an HTTP code, with the reason that goes with it; `retryAfter` in seconds. */
export function failure(code: number, message?: string, retryAfter?: number): Status {
  const [reason, text] = REASONS[code] ?? ["Unknown", "unknown"];
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: message ?? text,
    reason,
    ...(retryAfter === undefined ? {} : { details: { retryAfterSeconds: retryAfter } }),
    code,
  };
}

/** 504 of a server whose data is older than the version that the client has seen. */
export function tooLargeResourceVersion(wanted: string, current: string): Status {
  return {
    ...failure(504, `Too large resource version: ${wanted}, current: ${current}`, 1),
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  };
}
