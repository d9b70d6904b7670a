import type { SourceErrorCode } from "../../../model/snapshot.ts";
import { SourceError } from "../../source-error.ts";
import { callError } from "../provider/call-error.ts";
import { fieldOf } from "../provider/read-records.ts";

/** gRPC codes, which the SDK makes of HTTP statuses: https://cloud.google.com/apis/design/errors#handling_errors */
const CODES: Readonly<Record<number, SourceErrorCode>> = {
  3: "invalid",
  5: "absent",
  7: "forbidden",
  8: "rate-limited",
  9: "invalid",
  16: "unauthorized",
};

/** Compute Engine refuses too many requests with 403 too: https://cloud.google.com/compute/docs/api/troubleshoot-quotas */
const TOO_MANY = /rate ?limit|quota exceeded/i;

/** What google-auth-library says where it finds no credentials, or Google does not take them any more. */
const NO_CREDENTIALS =
  /default credentials|does not exist, or it is not a file|invalid_grant|invalid_rapt|reauth|(?:invalid|unauthorized)_client/i;

/** Why a call did not succeed, with the permission it needs and the project, and what to do about it. */
export function computeError(
  error: unknown,
  { permission, project }: { readonly permission: string; readonly project: string },
): SourceError {
  if (error instanceof SourceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return callError({
    code: codeOf(fieldOf(error, "code"), message),
    call: `${permission} in ${project}`,
    said: message,
    hints: {
      forbidden: `Give the account that Seamline runs as ${permission} in ${project}, as roles/compute.viewer does.`,
      unauthorized:
        "Renew the Google credentials that Seamline runs with: `gcloud auth application-default login`, or its service account.",
      absent: `Check the project id ${project}, and that the Compute Engine API is enabled in it.`,
    },
    cause: error,
  });
}

function codeOf(code: unknown, message: string): SourceErrorCode {
  if (NO_CREDENTIALS.test(message)) return "unauthorized";
  const known = typeof code === "number" ? CODES[code] : undefined;
  if (known === "forbidden" && TOO_MANY.test(message)) return "rate-limited";
  // 4, 13 and 14: too late, broken, not there. Without a code nothing has answered.
  return known ?? "unreachable";
}
