import { type JsonReply, type JsonRequest, startJsonEndpoint } from "./json-endpoint.ts";

/** What a subscription has, as the REST API gives it; ids tell what lies in what. */
export interface AzureSubscription {
  /** With the instance views of their reservations. */
  readonly groups: readonly AzureResource[];
  readonly reservations: readonly AzureResource[];
}

export interface AzureResource {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Lets the SDK reach a server on loopback, to which it would send no token: asks for https URLs without TLS.
 */
export const WITHOUT_TLS = {
  policy: {
    name: "withoutTls",
    sendRequest: <Q extends { url: string; allowInsecureConnection?: boolean }, R>(
      request: Q,
      next: (request: Q) => Promise<R>,
    ) => {
      request.url = request.url.replace(/^https:/, "http:");
      request.allowInsecureConnection = true;
      return next(request);
    },
  },
  position: "perRetry",
} as const;

/**
 * An HTTP server on loopback that answers as Azure Resource Manager does, in pages of `pageSize`. Lists hold no instance
 * views: those come with one group that is asked for with `$expand`.
 * https://learn.microsoft.com/rest/api/compute/capacity-reservation-groups
 */
export async function startAzureEndpoint(subscription: AzureSubscription, pageSize = 100) {
  const endpoint = await startJsonEndpoint(() => armError(503, "NotYet", "not yet"));
  endpoint.reply = azureReply(endpoint.url, subscription, pageSize);
  return endpoint;
}

/** `url`: of the endpoint, since links to further pages are whole URLs, with https as Azure's are. */
export const azureReply =
  (url: string, { groups, reservations }: AzureSubscription, pageSize = 100) =>
  ({ path, query, authorization }: JsonRequest): JsonReply => {
    if (authorization !== "Bearer not-a-secret")
      return armError(401, "InvalidAuthenticationToken", "no token");
    if (query.get("api-version") === null)
      return armError(400, "MissingApiVersionParameter", "no api-version");
    const page = (items: readonly AzureResource[]) => {
      const from = Number(query.get("$skiptoken") ?? 0);
      const next = `${url.replace(/^http:/, "https:")}${path}?api-version=${query.get("api-version")}&$skiptoken=${from + pageSize}`;
      const value = items.slice(from, from + pageSize).map(withoutView);
      return { body: { value, ...(from + pageSize < items.length && { nextLink: next }) } };
    };
    const wanted = path.toLowerCase();
    if (/^\/subscriptions\/[^/]+\/providers\/microsoft\.compute\/capacityreservationgroups$/.test(wanted)) {
      return page(groups);
    }
    if (wanted.endsWith("/capacityreservations")) {
      return page(reservations.filter(({ id }) => id.toLowerCase().startsWith(`${wanted}/`)));
    }
    const group = groups.find(({ id }) => id.toLowerCase() === wanted);
    if (!group) return armError(404, "ResourceNotFound", `${path} was not found`);
    return { body: query.get("$expand") === "instanceView" ? group : withoutView(group) };
  };

/** https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors */
export function armError(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): JsonReply {
  return { status, headers, body: { error: { code, message } } };
}

function withoutView({
  properties: { instanceView: _, ...properties },
  ...resource
}: AzureResource): AzureResource {
  return { ...resource, properties };
}
