import { z } from "zod";
import type { Clock } from "../../kubernetes/clock.ts";
import type { ParsedReservations } from "../format.ts";
import { createPolledSource } from "../live/polled-source.ts";
import { type Part, readPart } from "../live/read-part.ts";
import { fieldOf, itemsOf } from "../provider/read-records.ts";
import type { ReservationSource } from "../reservation-source.ts";
import { type Compute, openCompute, type ZonalName } from "./compute.ts";
import { gcpFormat } from "./format.ts";
import { resourcePath } from "./resource-path.ts";

/** Google Cloud reservations read from Compute Engine itself, with the default credentials. */
export const gcpLiveConfig = z.strictObject({
  provider: z.literal("gcp"),
  projects: z
    .array(z.string().regex(/^([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/, { error: "a project id" }), {
      error: "a list of project ids such as [ml-prod]",
    })
    .min(1, { error: "at least one project" }),
  /** Base URL of Compute Engine, where it is not Google's own. */
  endpoint: z.url({ protocol: /^https?$/, error: "a URL such as https://compute.example" }).optional(),
});

export type GcpLiveConfig = z.infer<typeof gcpLiveConfig>;

/** One source for each project, `reservations/gcp/PROJECT`. Nothing is loaded or opened before `start`. */
export function createGcpSources(
  { projects, endpoint }: GcpLiveConfig,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
): ReservationSource[] {
  let opened: Promise<Compute> | undefined;
  return [...new Set(projects)].map((project) => {
    const sourceId = `reservations/gcp/${project}`;
    return createPolledSource({
      id: sourceId,
      clock,
      random,
      poll: async (signal) => {
        opened ??= openCompute(endpoint);
        return readProject(await opened, { project, signal, sourceId });
      },
    });
  });
}

interface Reading {
  readonly project: string;
  readonly signal: AbortSignal;
  readonly sourceId: string;
}

/** Reservations with what Compute Engine says of them elsewhere; the further calls are made only where there is something to ask. */
async function readProject(compute: Compute, reading: Reading): Promise<ParsedReservations> {
  const { project, signal, sourceId } = reading;
  const document = await compute.reservations(project, signal);
  const read: ParsedReservations[] = [gcpFormat.parse(document, { sourceId })];
  const take = async (part: Omit<Part<unknown>, "sourceId">) => {
    const { value, issues } = await readPart({ ...part, sourceId });
    if (value !== undefined) read.push(gcpFormat.parse(value, { sourceId }));
    read.push({ reservations: [], problems: [], issues });
    return value;
  };
  await take({
    permission: "compute.futureReservations.list",
    missing: "which capacity is to come",
    read: () => compute.futureReservations(project, signal),
  });
  const active = (read[0]?.reservations ?? []).filter(({ lifecycle }) => lifecycle?.state === "active");
  for (const zone of new Set(active.flatMap((reservation) => reservation.zone ?? []))) {
    await take({
      permission: "compute.instances.list",
      missing: `which machines in ${zone} run in which reservation, where their nodes have no label that says it`,
      read: () => compute.instances({ project, zone }, signal),
    });
  }
  for (const reservation of degraded(document)) await takeBlocks(compute, reservation, { reading, take });
  return {
    reservations: read.flatMap(({ reservations }) => reservations),
    supplements: read.flatMap(({ supplements }) => supplements ?? []),
    problems: read.flatMap(({ problems }) => problems),
    issues: read.flatMap(({ issues }) => issues),
  };
}

/** Hosts of dense reservations, but only of those parts that are said to be degraded. */
async function takeBlocks(
  compute: Compute,
  reservation: ZonalName,
  { reading, take }: { reading: Reading; take: (part: Omit<Part<unknown>, "sourceId">) => Promise<unknown> },
): Promise<void> {
  const missing = `which hosts of ${reservation.name} are degraded`;
  const blocks = await take({
    permission: "compute.reservationBlocks.list",
    missing,
    read: () => compute.blocks(reservation, reading.signal),
  });
  const names = itemsOf(blocks)
    .filter(isDegraded("healthInfo"))
    .flatMap((block) => nameOf(block) ?? []);
  if (names.length === 0) return;
  await take({
    permission: "compute.reservationSubBlocks.list",
    missing,
    read: async () => {
      const lists: unknown[] = [];
      for (const name of names) lists.push(await compute.subBlocks(reservation, name, reading.signal));
      return { kind: "compute#reservationSubBlockList", items: lists.flatMap(itemsOf) };
    },
  });
}

function degraded(document: unknown): ZonalName[] {
  return itemsOf(document)
    .filter(isDegraded("resourceStatus", "healthInfo"))
    .flatMap((reservation) => {
      const path = resourcePath(String(fieldOf(reservation, "selfLink")));
      const name = nameOf(reservation);
      return path && name ? [{ project: path.project, zone: path.zone, name }] : [];
    });
}

const isDegraded =
  (...path: readonly string[]) =>
  (resource: unknown) =>
    fieldOf(path.reduce(fieldOf, resource), "healthStatus") === "DEGRADED";

function nameOf(resource: unknown): string | undefined {
  const name = fieldOf(resource, "name");
  return typeof name === "string" ? name : undefined;
}
