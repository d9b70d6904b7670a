import type { Issue } from "../../../model/snapshot.ts";
import type { ParsedReservations, ParseOptions, ReservationFormat } from "../format.ts";
import { incomplete } from "../provider/incomplete.ts";
import { fieldOf } from "../provider/read-records.ts";
import { parseBlocks, parseSubBlocks } from "./blocks.ts";
import { parseFutureReservations } from "./future-reservations.ts";
import { parseInstances } from "./instances.ts";
import { parseGcpReservations } from "./reservations.ts";

/** What each kind of resource is read by. */
const PARSERS: Readonly<
  Record<string, (records: readonly unknown[], options: ParseOptions) => ParsedReservations>
> = {
  reservation: parseGcpReservations,
  futureReservation: parseFutureReservations,
  reservationBlock: parseBlocks,
  reservationSubBlock: parseSubBlocks,
  instance: parseInstances,
};

/**
 * What `gcloud compute {reservations, future-reservations, instances} list --format=json` and the REST API's lists and
 * aggregated lists give, also several of them in one array.
 */
export const gcpFormat: ReservationFormat = {
  name: "Google Cloud resources (gcloud compute reservations list --format=json)",
  recognises: (document) =>
    kindOf(document) !== undefined || resourcesOf(document).some((record) => kindOf(record) !== undefined),
  parse: parseGcp,
};

function parseGcp(document: unknown, options: ParseOptions): ParsedReservations {
  const listKind = kindOf(document);
  const byKind = Map.groupBy(resourcesOf(document), (record) => kindOf(record) ?? listKind ?? "");
  const parts = [...byKind].map(
    ([kind, records]) => PARSERS[kind]?.(records, options) ?? unread(records, options),
  );
  return {
    reservations: parts.flatMap(({ reservations }) => reservations),
    supplements: parts.flatMap(({ supplements }) => supplements ?? []),
    problems: parts.flatMap(({ problems }) => problems),
    issues: [
      ...parts.flatMap(({ issues }) => issues),
      ...unreachable(document, options),
      ...incomplete(document, options.sourceId),
    ],
  };
}

/** The kind of a resource or of a list of them, where it is one that is read: by `kind`, else by its link. */
function kindOf(value: unknown): string | undefined {
  const [kind, selfLink] = [fieldOf(value, "kind"), fieldOf(value, "selfLink")];
  const named =
    typeof kind === "string" ? /^compute#(\w+?)s?(?:AggregatedList|List\w*)?$/.exec(kind)?.[1] : undefined;
  const linked = typeof selfLink === "string" ? /\/(\w+)s\/[^/]+$/.exec(selfLink)?.[1] : undefined;
  return [named, linked].find((name) => name !== undefined && Object.hasOwn(PARSERS, name));
}

/** The resources of an array, a list, an aggregated list, or the one that `document` is. */
function resourcesOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const items = fieldOf(document, "items");
  if (Array.isArray(items)) return items;
  if (typeof items === "object" && items !== null) {
    return Object.values(items).flatMap((scope) => Object.values(scope ?? {}).find(Array.isArray) ?? []);
  }
  return fieldOf(document, "name") === undefined ? [] : [document];
}

function unread(records: readonly unknown[], { sourceId }: ParseOptions): ParsedReservations {
  const message = `${records.length} records are left out: they are no reservations, blocks or instances of Compute Engine`;
  const issue: Issue = { code: "ReservationUnreadable", severity: "error", message, source: sourceId };
  return { reservations: [], problems: [], issues: [issue] };
}

/** Zones that did not answer: an aggregated list is given without them. https://cloud.google.com/compute/docs/reference/rest/v1/reservations/aggregatedList */
function unreachable(document: unknown, { sourceId }: ParseOptions): Issue[] {
  const scopes = fieldOf(document, "items");
  const aggregated = typeof scopes === "object" && scopes !== null && !Array.isArray(scopes);
  const warned = aggregated
    ? Object.entries(scopes).flatMap(([scope, value]) =>
        fieldOf(fieldOf(value, "warning"), "code") === "UNREACHABLE" ? [scope] : [],
      )
    : [];
  const listed = fieldOf(document, "unreachables");
  const names = [...warned, ...(Array.isArray(listed) ? listed.map(String) : [])];
  return [...new Set(names)].map((name) => ({
    code: "ReservationsUnreachable",
    severity: "warning",
    message: `${name} did not answer: what is reserved there is not in the list`,
    source: sourceId,
  }));
}
