/** The parts of a capacity reservation's or a group's resource id, in lower case: Azure changes the case between answers. */
export interface ReservationPath {
  /** The whole id, in lower case, without the leading slash. */
  readonly id: string;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly group: string;
  /** undefined: it is the group's own id. */
  readonly reservation: string | undefined;
}

const PATH =
  /^subscriptions\/([^/]+)\/resourcegroups\/([^/]+)\/providers\/microsoft\.compute\/capacityreservationgroups\/([^/]+)(?:\/capacityreservations\/([^/]+))?$/;

/** undefined where `id` is none of them. https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules */
export function reservationPath(id: unknown): ReservationPath | undefined {
  if (typeof id !== "string") return undefined;
  const normal = normalId(id);
  const [, subscription, resourceGroup, group, reservation] = PATH.exec(normal) ?? [];
  if (subscription === undefined || resourceGroup === undefined || group === undefined) return undefined;
  return { id: normal, subscription, resourceGroup, group, reservation };
}

/**
 * An id in lower case, without the leading slash. A machine's is the end of its node's providerID: its last part alone
 * is no more than a number within a scale set.
 */
export function normalId(id: string): string {
  return id.replace(/^\/+|\/+$/g, "").toLowerCase();
}
