import type { SourceErrorCode } from "../../../model/snapshot.ts";
import { SourceError } from "../../source-error.ts";

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html, and what the SDK itself throws. */
const CODES: Readonly<Record<string, SourceErrorCode>> = {
  UnauthorizedOperation: "forbidden",
  AccessDenied: "forbidden",
  AccessDeniedException: "forbidden",
  RequestExpired: "unauthorized",
  AuthFailure: "unauthorized",
  ExpiredToken: "unauthorized",
  ExpiredTokenException: "unauthorized",
  InvalidClientTokenId: "unauthorized",
  UnrecognizedClientException: "unauthorized",
  SignatureDoesNotMatch: "unauthorized",
  MissingAuthenticationToken: "unauthorized",
  OptInRequired: "unauthorized",
  Blocked: "unauthorized",
  CredentialsProviderError: "unauthorized",
  TokenProviderError: "unauthorized",
  RequestLimitExceeded: "rate-limited",
  Throttling: "rate-limited",
  ThrottlingException: "rate-limited",
  RequestThrottled: "rate-limited",
  TooManyRequestsException: "rate-limited",
};

/** Longest text of AWS that is kept: refusals carry a long encoded message. */
const MESSAGE_LIMIT = 300;
/** Longest wait that AWS is granted, in milliseconds. */
const LONGEST_RETRY_AFTER = 900_000;

/** Why a call did not succeed, with the call and the region, and what to do about it. */
export function ec2Error(
  error: unknown,
  { action, region }: { action: string; region: string },
): SourceError {
  if (error instanceof SourceError) return error;
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  const code = codeOf(error, name);
  const said =
    message.length > MESSAGE_LIMIT ? `${message.slice(0, MESSAGE_LIMIT)}…` : message || codeText(error);
  return new SourceError(code, `ec2:${action} in ${region}: ${name}: ${said}`, {
    hint: hintOf(code, action),
    cause: error,
    retryAfterMs: retryAfterMs(error),
  });
}

function codeOf(error: unknown, name: string): SourceErrorCode {
  const known = Object.hasOwn(CODES, name) ? CODES[name] : undefined;
  if (known) return known;
  const { httpStatusCode } = part(error, "$metadata");
  if (httpStatusCode === 401) return "unauthorized";
  if (httpStatusCode === 403) return "forbidden";
  if (httpStatusCode === 429) return "rate-limited";
  // Without a status nothing has answered; a status of 5xx is an error of AWS' own.
  return typeof httpStatusCode === "number" && httpStatusCode < 500 ? "invalid" : "unreachable";
}

function hintOf(code: SourceErrorCode, action: string): string {
  switch (code) {
    case "forbidden":
      return `Allow ec2:${action} to the user or role that Seamline runs as.`;
    case "unauthorized":
      return "Renew the AWS credentials that Seamline runs with; `aws sts get-caller-identity` tells whether they are accepted.";
    case "rate-limited":
      return "It is tried again, more slowly.";
    case "unreachable":
      return "Check the region's name, network and proxy. It is tried again.";
    default:
      return "";
  }
}

/** A connection that fails has no message where a name has several addresses. */
function codeText(error: unknown): string {
  const { code } = asObject(error);
  return typeof code === "string" ? code : "no answer";
}

/** `Retry-After` in seconds. */
function retryAfterMs(error: unknown): number | undefined {
  const value = asObject(part(error, "$response").headers)["retry-after"];
  if (typeof value !== "string" || !/^\d{1,9}$/.test(value)) return undefined;
  return Math.min(Number(value) * 1_000, LONGEST_RETRY_AFTER);
}

function part(value: unknown, key: string): Readonly<Record<string, unknown>> {
  return asObject(asObject(value)[key]);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
