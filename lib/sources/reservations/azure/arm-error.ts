import type { SourceErrorCode } from "../../../model/snapshot.ts";
import { SourceError } from "../../source-error.ts";
import { callError } from "../provider/call-error.ts";
import { fieldOf } from "../provider/read-records.ts";

/** https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling and the usual statuses */
const STATUSES: Readonly<Record<number, SourceErrorCode>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "absent",
  409: "invalid",
  429: "rate-limited",
};

/** What @azure/identity throws where it finds no credentials, or Entra ID does not take them. */
const CREDENTIAL_ERRORS =
  /^(CredentialUnavailableError|AuthenticationError|AggregateAuthenticationError|AuthenticationRequiredError)$/;

/** Why a call did not succeed, with the action it needs and the subscription, and what to do about it. */
export function armError(
  error: unknown,
  { permission, subscription }: { readonly permission: string; readonly subscription: string },
): SourceError {
  if (error instanceof SourceError) return error;
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  const word = fieldOf(error, "code");
  return callError({
    code: codeOf(error, name),
    call: `${permission} in subscription ${subscription}`,
    said: typeof word === "string" && !message.includes(word) ? `${word}: ${message}` : message,
    hints: {
      forbidden: `Give the identity that Seamline runs as ${permission}, as the built-in role Reader does.`,
      unauthorized:
        "Renew the Azure credentials that Seamline runs with: `az login`, or its managed or workload identity.",
      absent: "Check the subscription's id, and that the Microsoft.Compute provider is registered in it.",
    },
    cause: error,
    retryAfter: retryAfterOf(error),
  });
}

function codeOf(error: unknown, name: string): SourceErrorCode {
  if (CREDENTIAL_ERRORS.test(name)) return "unauthorized";
  const status = Number(fieldOf(error, "statusCode"));
  // Without a status nothing has answered; a status of 5xx is an error of Azure's own.
  return STATUSES[status] ?? "unreachable";
}

function retryAfterOf(error: unknown): unknown {
  const headers = fieldOf(fieldOf(error, "response"), "headers");
  const get = fieldOf(headers, "get");
  return typeof get === "function" ? get.call(headers, "retry-after") : undefined;
}
