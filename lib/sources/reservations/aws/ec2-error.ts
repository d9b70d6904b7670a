import type { SourceErrorCode } from "../../../model/snapshot.ts";
import { SourceError } from "../../source-error.ts";
import { callError } from "../provider/call-error.ts";
import { fieldOf } from "../provider/read-records.ts";

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

/** Why a call did not succeed, with the call and the region, and what to do about it. */
export function ec2Error(
  error: unknown,
  { action, region }: { action: string; region: string },
): SourceError {
  if (error instanceof SourceError) return error;
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  return callError({
    code: codeOf(error, name),
    call: `ec2:${action} in ${region}: ${name}`,
    said: message || codeText(error),
    hints: {
      forbidden: `Allow ec2:${action} to the user or role that Seamline runs as.`,
      unauthorized:
        "Renew the AWS credentials that Seamline runs with; `aws sts get-caller-identity` tells whether they are accepted.",
      unreachable: "Check the region's name, network and proxy. It is tried again.",
    },
    cause: error,
    retryAfter: fieldOf(fieldOf(fieldOf(error, "$response"), "headers"), "retry-after"),
  });
}

function codeOf(error: unknown, name: string): SourceErrorCode {
  const known = Object.hasOwn(CODES, name) ? CODES[name] : undefined;
  if (known) return known;
  const status = fieldOf(fieldOf(error, "$metadata"), "httpStatusCode");
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 429) return "rate-limited";
  // Without a status nothing has answered; a status of 5xx is an error of AWS' own.
  return typeof status === "number" && status < 500 ? "invalid" : "unreachable";
}

/** A connection that fails has no message where a name has several addresses. */
function codeText(error: unknown): string {
  const code = fieldOf(error, "code");
  return typeof code === "string" ? code : "no answer";
}
