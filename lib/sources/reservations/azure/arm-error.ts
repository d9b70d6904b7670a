import type { SourceErrorCode } from "../../../model/snapshot.ts";
import { SourceError } from "../../source-error.ts";
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

const MESSAGE_LIMIT = 300;
/** Longest wait that Azure is granted, in milliseconds. */
const LONGEST_RETRY_AFTER = 900_000;

/** Why a call did not succeed, with the action it needs and the subscription, and what to do about it. */
export function armError(
  error: unknown,
  { permission, subscription }: { readonly permission: string; readonly subscription: string },
): SourceError {
  if (error instanceof SourceError) return error;
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  const code = codeOf(error, name);
  const word = fieldOf(error, "code");
  const text = typeof word === "string" && !message.includes(word) ? `${word}: ${message}` : message;
  const said = text.length > MESSAGE_LIMIT ? `${text.slice(0, MESSAGE_LIMIT)}…` : text;
  return new SourceError(code, `${permission} in subscription ${subscription}: ${said}`, {
    hint: hintOf(code, permission),
    cause: error,
    retryAfterMs: retryAfterMs(error),
  });
}

function codeOf(error: unknown, name: string): SourceErrorCode {
  if (CREDENTIAL_ERRORS.test(name)) return "unauthorized";
  const status = Number(fieldOf(error, "statusCode"));
  // Without a status nothing has answered; a status of 5xx is an error of Azure's own.
  return STATUSES[status] ?? "unreachable";
}

function hintOf(code: SourceErrorCode, permission: string): string {
  switch (code) {
    case "forbidden":
      return `Give the identity that Seamline runs as ${permission}, as the built-in role Reader does.`;
    case "unauthorized":
      return "Renew the Azure credentials that Seamline runs with: `az login`, or its managed or workload identity.";
    case "absent":
      return "Check the subscription's id, and that the Microsoft.Compute provider is registered in it.";
    case "rate-limited":
      return "It is tried again, more slowly.";
    case "unreachable":
      return "Check network and proxy. It is tried again.";
    default:
      return "";
  }
}

/** `Retry-After` in seconds. */
function retryAfterMs(error: unknown): number | undefined {
  const headers = fieldOf(fieldOf(error, "response"), "headers");
  const get = fieldOf(headers, "get");
  const value: unknown = typeof get === "function" ? get.call(headers, "retry-after") : undefined;
  if (typeof value !== "string" || !/^\d{1,9}$/.test(value)) return undefined;
  return Math.min(Number(value) * 1_000, LONGEST_RETRY_AFTER);
}
