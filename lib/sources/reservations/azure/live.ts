import { z } from "zod";
import type { Clock } from "../../kubernetes/clock.ts";
import type { ParsedReservations } from "../format.ts";
import { createPolledSource } from "../live/polled-source.ts";
import { readPart } from "../live/read-part.ts";
import { fieldOf } from "../provider/read-records.ts";
import type { ReservationSource } from "../reservation-source.ts";
import { azureFormat } from "./format.ts";
import { type ReservationPath, reservationPath } from "./resource-id.ts";
import { type AzureAccess, openResourceManager, type ResourceManager } from "./resource-manager.ts";

/** Azure reservations read from Resource Manager itself, with the default credentials. */
export const azureLiveConfig = z.strictObject({
  provider: z.literal("azure"),
  subscriptions: z
    .array(z.guid({ error: "the id of a subscription, a UUID" }), { error: "a list of subscription ids" })
    .min(1, { error: "at least one subscription" }),
  /** Base URL of Resource Manager, where it is not that of the public cloud. */
  endpoint: z.url({ protocol: /^https$/, error: "a URL such as https://management.azure.com" }).optional(),
});

export type AzureLiveConfig = z.infer<typeof azureLiveConfig>;

/** One source for each subscription, `reservations/azure/SUBSCRIPTION`. Nothing is loaded or opened before `start`. */
export function createAzureSources(
  { subscriptions, endpoint }: AzureLiveConfig,
  { clock, random, ...access }: { readonly clock: Clock; readonly random: () => number } & AzureAccess,
): ReservationSource[] {
  return [...new Set(subscriptions.map((id) => id.toLowerCase()))].map((subscription) => {
    const sourceId = `reservations/azure/${subscription}`;
    let opened: Promise<ResourceManager> | undefined;
    return createPolledSource({
      id: sourceId,
      clock,
      random,
      poll: async (signal) => {
        opened ??= openResourceManager({ subscription, endpoint, ...access });
        return readSubscription(await opened, { signal, sourceId });
      },
    });
  });
}

interface Reading {
  readonly signal: AbortSignal;
  readonly sourceId: string;
}

/** All groups with their reservations; a group that is refused is told and takes no other away. */
async function readSubscription(manager: ResourceManager, reading: Reading): Promise<ParsedReservations> {
  const groups = await manager.groups(reading.signal);
  const parts: ParsedReservations[] = [azureFormat.parse(groups, reading)];
  for (const group of groups) {
    const path = reservationPath(fieldOf(group, "id"));
    if (path) parts.push(await readGroup(manager, path, reading));
  }
  return {
    reservations: parts.flatMap(({ reservations }) => reservations),
    supplements: parts.flatMap(({ supplements }) => supplements ?? []),
    problems: parts.flatMap(({ problems }) => problems),
    issues: parts.flatMap(({ issues }) => issues),
  };
}

async function readGroup(
  manager: ResourceManager,
  path: ReservationPath,
  { signal, sourceId }: Reading,
): Promise<ParsedReservations> {
  const listed = await readPart({
    sourceId,
    permission: "Microsoft.Compute/capacityReservationGroups/capacityReservations/read",
    missing: `what is reserved in the group ${path.group}`,
    read: () => manager.reservations(path, signal),
  });
  const viewed = await readPart({
    sourceId,
    permission: "Microsoft.Compute/capacityReservationGroups/read",
    missing: `how many slots of the group ${path.group} are held and used, and by which machines`,
    read: () => manager.groupWithViews(path, signal),
  });
  const views = viewsByName(viewed.value);
  const records = (listed.value ?? []).map((record) => withView(record, views));
  const parsed = azureFormat.parse(records, { sourceId });
  return { ...parsed, issues: [...listed.issues, ...viewed.issues, ...parsed.issues] };
}

function viewsByName(group: unknown): ReadonlyMap<string, unknown> {
  const views = fieldOf(fieldOf(group, "instanceView"), "capacityReservations");
  return new Map(
    (Array.isArray(views) ? views : []).map((view) => [String(fieldOf(view, "name")).toLowerCase(), view]),
  );
}

/** A reservation with its own view, as it has where it is asked for alone. */
function withView(record: unknown, views: ReadonlyMap<string, unknown>): unknown {
  const instanceView = views.get(String(fieldOf(record, "name")).toLowerCase());
  return typeof record === "object" && instanceView !== undefined ? { ...record, instanceView } : record;
}
