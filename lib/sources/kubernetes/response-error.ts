import type { SourceErrorCode } from "../../model/snapshot.ts";
import { SourceError } from "../source-error.ts";
import { rawObject } from "./raw.ts";

/** The request that was refused. */
export interface RefusedRequest {
  /** Base URL of the API server. */
  readonly server: string;
  /** Path with query. */
  readonly path: string;
}

/** Longest wait that a server is granted, in milliseconds. */
const LONGEST_RETRY_AFTER = 300_000;

/**
 * What an answer other than 200, or an ERROR event of a watch, means. `status` is the Status object where there is one.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
 */
export function responseError(
  request: RefusedRequest,
  httpStatus: number,
  status: unknown,
  retryAfter?: string,
): SourceError {
  if (httpStatus >= 300 && httpStatus < 400)
    return notKubernetes(`The API server ${request.server} answers with a redirection (${httpStatus})`);
  const raw = rawObject(status);
  const said = typeof raw.message === "string" && raw.message !== "" ? raw.message.slice(0, 500) : "";
  const code = isTooLargeResourceVersion(raw, said) ? "expired" : errorCode(httpStatus);
  const what = requested(request.path);
  return new SourceError(code, `${TITLES[code]} ${what.text} (${httpStatus})${said ? `: ${said}` : ""}`, {
    hint: hint(code, request.server, what),
    retryAfterMs: retryAfterMs(retryAfter ?? rawObject(raw.details).retryAfterSeconds),
  });
}

/** Something was sent that no API server sends: most often by what stands in front of it. */
export function notKubernetes(message: string): SourceError {
  return new SourceError("invalid", message, {
    hint: "Check the address in the kubeconfig, and whether a proxy or a sign-in page stands in front of the API server.",
  });
}

const TITLES: Readonly<Record<SourceErrorCode, string>> = {
  unauthorized: "The API server does not accept the credentials for",
  forbidden: "No permission to read",
  absent: "The API server does not know",
  expired: "The API server no longer has the version asked for of",
  "rate-limited": "The API server asks to wait before reading",
  invalid: "The API server refuses the request for",
  unreachable: "The API server cannot answer for",
};

function errorCode(httpStatus: number): SourceErrorCode {
  switch (httpStatus) {
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "absent";
    case 410:
      return "expired";
    case 429:
      return "rate-limited";
    default:
      return httpStatus >= 500 ? "unreachable" : "invalid";
  }
}

/** 504 of a server whose data is older than what was read before, e.g. after a restore. */
function isTooLargeResourceVersion(raw: Readonly<Record<string, unknown>>, message: string): boolean {
  const { causes } = rawObject(raw.details);
  const named =
    Array.isArray(causes) && causes.some((cause) => rawObject(cause).reason === "ResourceVersionTooLarge");
  return named || /^(?:Timeout: )?Too large resource version/.test(message);
}

interface Requested {
  readonly group: string;
  readonly resource: string;
  readonly isLog: boolean;
  readonly text: string;
}

/** `/api/v1/pods?...` -> pods; `/apis/kueue.x-k8s.io/v1beta2/workloads` -> workloads of its group; `.../pods/x/log` -> pods/log. */
function requested(path: string): Requested {
  const match =
    /^\/(?:api\/v1|apis\/([^/]+)\/[^/]+)\/(?:namespaces\/[^/]+\/)?([^/?]+)(?:\/[^/?]+(\/log))?/.exec(path);
  const [, group = "", plural = path, sub = ""] = match ?? [];
  const resource = plural + sub;
  return { group, resource, isLog: sub !== "", text: group ? `${resource}.${group}` : resource };
}

function hint(code: SourceErrorCode, server: string, { group, resource, isLog }: Requested): string {
  switch (code) {
    case "forbidden":
      return isLog
        ? `Needs a ClusterRole rule: apiGroups [""], resources [pods/log], verbs [get], as in deploy/cluster-role-logs.yaml, bound to the user that Seamline runs as.`
        : `Needs a ClusterRole rule: apiGroups ["${group}"], resources [${resource}], verbs [get, list, watch], bound to the user that Seamline runs as. It is tried again within a minute.`;
    case "unauthorized":
      return `Check the user of the kubeconfig's context: token, client certificate or exec plugin for ${server}.`;
    case "unreachable":
      return `${server} answers, but with an error of its own. It is tried again.`;
    case "absent":
      return "It is looked for again within a minute.";
    case "rate-limited":
    case "expired":
    case "invalid":
      return "";
    default:
      return code satisfies never;
  }
}

/** Retry-After in seconds; its other form, a date, is not used by API servers. */
function retryAfterMs(value: unknown): number | undefined {
  const seconds = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof seconds !== "number" || !(seconds >= 0)) return undefined;
  return Math.min(seconds * 1_000, LONGEST_RETRY_AFTER);
}
