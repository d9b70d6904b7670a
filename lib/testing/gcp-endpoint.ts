import { type JsonReply, type JsonRequest, startJsonEndpoint } from "./json-endpoint.ts";

/** What a project has, as the REST API's lists give it. */
export interface GcpProject {
  readonly reservations?: readonly unknown[];
  readonly futureReservations?: readonly unknown[];
  readonly blocks?: readonly unknown[];
  readonly subBlocks?: readonly unknown[];
  readonly instances?: readonly unknown[];
  /** Zones that do not answer. */
  readonly unreachable?: readonly string[];
}

/** Which list a path asks for, of which project. */
const LISTS: readonly (readonly [RegExp, Exclude<keyof GcpProject, "unreachable">])[] = [
  [/^\/compute\/v1\/projects\/([^/]+)\/aggregated\/reservations$/, "reservations"],
  [/^\/compute\/v1\/projects\/([^/]+)\/aggregated\/futureReservations$/, "futureReservations"],
  [/^\/compute\/v1\/projects\/([^/]+)\/zones\/[^/]+\/reservations\/[^/]+\/reservationBlocks$/, "blocks"],
  [
    /^\/compute\/v1\/projects\/([^/]+)\/zones\/[^/]+\/reservations\/[^/]+\/reservationBlocks\/[^/]+\/reservationSubBlocks$/,
    "subBlocks",
  ],
  [/^\/compute\/v1\/projects\/([^/]+)\/zones\/[^/]+\/instances$/, "instances"],
];

/**
 * An HTTP server on loopback that answers as Compute Engine does, in pages of `pageSize`, and gives tokens at `/token`.
 * https://cloud.google.com/compute/docs/reference/rest/v1
 */
export function startGcpEndpoint(projects: Readonly<Record<string, GcpProject>>, pageSize = 500) {
  return startJsonEndpoint(gcpReply(projects, pageSize));
}

export const gcpReply =
  (projects: Readonly<Record<string, GcpProject>>, pageSize = 500) =>
  (request: JsonRequest): JsonReply => {
    if (request.path === "/token") return { body: TOKEN };
    if (request.authorization !== `Bearer ${TOKEN.access_token}`) return gcpError(401, "no token");
    for (const [pattern, list] of LISTS) {
      const [, name] = pattern.exec(request.path) ?? [];
      const project = name === undefined ? undefined : projects[name];
      if (project)
        return { body: page(project, list, Number(request.query.get("pageToken") ?? 0), pageSize) };
    }
    return gcpError(404, `${request.path} was not found`);
  };

/** https://cloud.google.com/apis/design/errors#http_mapping */
export function gcpError(status: number, message: string, reason = "backendError"): JsonReply {
  return {
    status,
    body: { error: { code: status, message, errors: [{ message, domain: "global", reason }] } },
  };
}

/** https://datatracker.ietf.org/doc/html/rfc8693: what a security token service answers. */
const TOKEN = {
  access_token: "not-a-secret",
  issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
  token_type: "Bearer",
  expires_in: 3600,
};

function page(
  project: GcpProject,
  list: Exclude<keyof GcpProject, "unreachable">,
  from: number,
  size: number,
) {
  const items = (project[list] ?? []).slice(from, from + size);
  const next = from + size < (project[list] ?? []).length ? { nextPageToken: String(from + size) } : {};
  if (list !== "reservations" && list !== "futureReservations") return { items, ...next };
  const warned = (project.unreachable ?? []).map((zone) => [zone, { warning: { code: "UNREACHABLE" } }]);
  return { items: { "zones/us-central1-a": { [list]: items }, ...Object.fromEntries(warned) }, ...next };
}
