import { SourceError } from "../source-error.ts";

/** What to check, by the system's or TLS' error code. https://nodejs.org/api/errors.html#common-system-errors */
const CHECKS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens there: is the cluster up, and is the address in the kubeconfig right?",
  ENOTFOUND: "Its name is not known: check the address in the kubeconfig, DNS and VPN.",
  EAI_AGAIN: "Its name could not be looked up: check DNS and VPN.",
  ETIMEDOUT: "No answer: check VPN, proxy and firewall.",
  EHOSTUNREACH: "No route to it: check VPN and network.",
  ENETUNREACH: "No route to it: check VPN and network.",
  ECONNRESET: "The connection was cut: check proxy and load balancer.",
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|EPROTO|ERR_SSL/;

/** A failed connection as a SourceError that names the server, the cause and what to check. */
export function networkError(server: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const { code, message } = innermost(error);
  const certificate = CERTIFICATE.test(code);
  const what = certificate ? "does not prove who it is" : "cannot be reached";
  return new SourceError("unreachable", `The API server ${server} ${what}: ${message}`, {
    hint: certificate
      ? "Check certificate-authority (and tls-server-name) of the cluster in the kubeconfig."
      : (CHECKS[code] ?? "Check that kubectl reaches it from this machine."),
    cause: error,
  });
}

/** Connecting to a name with several addresses fails with one error for each: the first tells enough. */
function innermost(error: unknown): { readonly code: string; readonly message: string } {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return { code: "", message: String(first) };
  const code = "code" in first && typeof first.code === "string" ? first.code : "";
  return { code, message: first.message || code };
}
