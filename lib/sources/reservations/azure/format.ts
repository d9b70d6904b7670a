import type { ParsedReservations, ParseOptions, ReservationFormat } from "../format.ts";
import { incomplete } from "../provider/incomplete.ts";
import { fieldOf } from "../provider/read-records.ts";
import { parseGroups } from "./groups.ts";
import { parseAzureReservations } from "./reservations.ts";
import { reservationPath } from "./resource-id.ts";

/**
 * What `az capacity reservation list`, `az capacity reservation show --instance-view`, the same of groups and the REST
 * API give, also several of them in one array.
 */
export const azureFormat: ReservationFormat = {
  name: "Azure capacity reservations (az capacity reservation list)",
  recognises: (document) => resourcesOf(document).some((record) => pathOf(record) !== undefined),
  parse: parseAzure,
};

function parseAzure(document: unknown, options: ParseOptions): ParsedReservations {
  const records = resourcesOf(document);
  // What has no usable id can only be told to be wrong.
  const isGroup = (record: unknown) =>
    pathOf(record) !== undefined && pathOf(record)?.reservation === undefined;
  const groups = parseGroups(records.filter(isGroup), options);
  const reservations = parseAzureReservations(
    records.filter((record) => !isGroup(record)),
    options,
  );
  return {
    reservations: reservations.reservations,
    supplements: groups.supplements ?? [],
    problems: [],
    issues: [...groups.issues, ...reservations.issues, ...incomplete(document, options.sourceId)],
  };
}

const pathOf = (record: unknown) => reservationPath(fieldOf(record, "id"));

/** The resources of an array, a page, or the one that `document` is. */
function resourcesOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const value = fieldOf(document, "value");
  if (Array.isArray(value)) return value;
  return fieldOf(document, "id") === undefined ? [] : [document];
}
