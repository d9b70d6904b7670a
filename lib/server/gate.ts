import { isIP } from "node:net";
import { isLoopback } from "./loopback.ts";

/** What the gate looks at; header values as Node gives them, names in lower case. */
export interface GateRequest {
  readonly method: string;
  /** The request's target as it came. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** How often the request names its host. */
  readonly hostHeaders: number;
}

export interface GateRules {
  /** The address or name that the server listens on, no brackets. */
  readonly boundHost: string;
  /** Further host names, lower case. */
  readonly allowedHosts: readonly string[];
}

export type Decision =
  | { readonly allow: true }
  | { readonly allow: false; readonly status: number; readonly why: string };

/** The one place that takes anything but a read. */
const WRITABLE = "/api/demo";
const MAX_BODY_BYTES = 1024;

const ALLOW: Decision = { allow: true };

/**
 * Whether a request may be answered at all. Everything else of the server may assume that an allowed request was made
 * by our own page, by someone's address bar, or by a program that is no browser.
 */
export function decide(request: GateRequest, rules: GateRules): Decision {
  return (
    refusedTarget(request.target) ??
    refusedHost(request, rules) ??
    refusedMethod(request) ??
    refusedOrigin(request) ??
    ALLOW
  );
}

type Check = Decision | undefined;

const refuse = (status: number, why: string): Decision => ({ allow: false, status, why });

/** The path of an origin-form target (https://www.rfc-editor.org/rfc/rfc9112#section-3.2.1), as a URL parser leaves it. */
const PLAIN_PATH = /^(?:\/|(?:\/[\w.~!$&'()*+,;=:@%-]+)+\/?)$/;
/** Separators and dots in disguise, dot segments, percent signs that encode nothing. */
const DISGUISE = /%(?:2f|5c|2e|00)|%(?![0-9a-f]{2})|\/\.{1,2}(?:\/|$)/i;

/** Two readers of one path must not see two paths. */
function refusedTarget(target: string): Check {
  const path = target.split("?", 1)[0] ?? "";
  const plain = PLAIN_PATH.test(path) && !DISGUISE.test(path) && /^[\x21-\x7e]*$/.test(target);
  return plain ? undefined : refuse(400, "The address is not written plainly.");
}

/** A name that some DNS server points at us is how a stranger's page would read us: only known names are answered. */
function refusedHost({ headers, hostHeaders }: GateRequest, { boundHost, allowedHosts }: GateRules): Check {
  if (hostHeaders !== 1 || headers.host === undefined) return refuse(400, "Expected one Host header.");
  const name = hostName(headers.host);
  const known =
    name !== undefined &&
    (isLoopback(name) ||
      name === boundHost.toLowerCase() ||
      allowedHosts.includes(name) ||
      // No DNS server can point an address elsewhere, and a wildcard address has no name of its own.
      (!isLoopback(boundHost) && isIP(name) > 0));
  return known ? undefined : refuse(421, "This server does not answer for that host name (SEAMLINE_HOSTS).");
}

/** The name in a Host header, lower case, without port and brackets; undefined where it is no host. */
function hostName(host: string): string | undefined {
  const parts = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host);
  return (parts?.[1] ?? parts?.[2])?.toLowerCase();
}

function refusedMethod({ method, target, headers }: GateRequest): Check {
  // Server Functions are never used: their requests end here, before Next decodes anything.
  if ("next-action" in headers) return refuse(415, "Expected no Next-Action.");
  if (method === "GET" || method === "HEAD") return undefined;
  if (method !== "POST" || target !== WRITABLE) return refuse(405, "Only GET and HEAD are answered here.");
  // Another site cannot send this type without asking first (CORS), and is never answered yes.
  if (!/^application\/json(?:;|$)/i.test(headers["content-type"] ?? ""))
    return refuse(415, "Expected application/json.");
  const length = headers["content-length"];
  if (length === undefined || !/^\d+$/.test(length)) return refuse(411, "Expected a Content-Length.");
  return Number(length) > MAX_BODY_BYTES ? refuse(413, "The body is too long.") : undefined;
}

/** https://web.dev/articles/fetch-metadata: our own page, or somebody who opens the page itself. */
function refusedOrigin({ method, target, headers }: GateRequest): Check {
  const { origin, host = "" } = headers;
  if (origin !== undefined && !isSameOrigin(origin, host)) return refuse(403, "Asked for by another site.");
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return undefined;
  const opensPage =
    method === "GET" &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document" &&
    !/^\/(?:api|_next)(?:[/?]|$)/.test(target);
  return opensPage ? undefined : refuse(403, "Asked for by another site.");
}

/** The scheme is left open: a proxy in front may speak TLS. */
function isSameOrigin(origin: string, host: string): boolean {
  const scheme = /^https?:\/\//.exec(origin)?.[0];
  return scheme !== undefined && origin.slice(scheme.length).toLowerCase() === host.toLowerCase();
}
