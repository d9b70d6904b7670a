import { findInstanceType } from "../../../model/instance-types.ts";
import type { Reservation } from "../../../model/reservation.ts";
import type { Issue } from "../../../model/snapshot.ts";
import { problemOf, show } from "../document-problem.ts";
import type { DocumentProblem, ParsedReservations, ParseOptions, ReservationFormat } from "../format.ts";
import { rateOf } from "./rate.ts";
import { type GenericRecord, genericDocument, genericRecord } from "./record.ts";

/** Problems of one file that are told; more would bury the first. */
const PROBLEM_LIMIT = 3;

/** The generic record: `{reservations: [{id, instanceType, count, …}]}`, for capacity of any origin. */
export const genericFormat: ReservationFormat = {
  name: "generic record ({reservations: [{id, provider, instanceType, count, …}]})",
  recognises: (document) => isRecord(document) && "reservations" in document,
  parse: parseGenericReservations,
};

/** Reservations of a parsed YAML or JSON document in the generic format, or what is wrong with it. */
export function parseGenericReservations(document: unknown, { sourceId }: ParseOptions): ParsedReservations {
  const parsed = genericDocument.safeParse(document);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, PROBLEM_LIMIT).map((issue) => problemOf(issue, document));
    return { reservations: [], problems, issues: [] };
  }
  const results = parsed.data.reservations.map((record, index) => reservationOf(record, index, sourceId));
  const problems = results
    .flatMap((result) => ("expected" in result ? [result] : []))
    .slice(0, PROBLEM_LIMIT);
  if (problems.length > 0) return { reservations: [], problems, issues: [] };
  return {
    reservations: results.flatMap((result) => ("expected" in result ? [] : [result])),
    problems: [],
    issues: unknownFields(document, sourceId),
  };
}

function reservationOf(
  record: GenericRecord,
  index: number,
  sourceId: string,
): Reservation | DocumentProblem {
  const at = (path: string, expected: string, got: unknown): DocumentProblem => {
    return { path: `reservations[${index}].${path}`, expected, got: show(got) };
  };
  const listed = findInstanceType(record.instanceType);
  const gpusPerInstance = record.gpusPerInstance ?? (listed ? Math.ceil(listed.gpus) : undefined);
  if (gpusPerInstance === undefined) {
    return at("gpusPerInstance", `the GPUs of one ${record.instanceType}, which is no known type`, undefined);
  }
  if (record.start !== undefined && record.end !== undefined && record.end <= record.start) {
    return at("end", "a time after start", new Date(record.end).toISOString());
  }
  const rate = rateOf(record, gpusPerInstance);
  if ("expected" in rate) return at(rate.path, rate.expected, record[rate.path as keyof GenericRecord]);
  return {
    id: record.id,
    provider: record.provider ?? "unknown",
    name: record.name ?? record.id,
    instanceType: record.instanceType,
    gpuModel: record.gpuModel ?? listed?.gpuModel,
    count: record.count,
    broken: 0,
    used: undefined,
    gpusPerInstance,
    region: undefined,
    zone: record.zone,
    account: undefined,
    market: "unknown",
    matching: undefined,
    start: record.start,
    end: record.end,
    rawState: record.state,
    lifecycle: undefined,
    usableUntil: undefined,
    machines: [],
    billing: record.billing ?? "continuous",
    rate,
    owner: record.owner,
    selector: record.selector && {
      matchLabels: record.selector.matchLabels ?? {},
      providerIdPrefix: record.selector.providerIdPrefix,
    },
    sourceId,
  };
}

/** Fields that no record has are most often misspelt ones: said, since a price that is not read is no price. */
function unknownFields(document: unknown, sourceId: string): Issue[] {
  const records = isRecord(document) && Array.isArray(document.reservations) ? document.reservations : [];
  const known = new Set(Object.keys(genericRecord.shape));
  return records.flatMap((record: unknown, index) =>
    Object.keys(isRecord(record) ? record : {})
      .filter((key) => !known.has(key))
      .map((key): Issue => {
        const message = `reservations[${index}].${key} is no field of a reservation and was not read`;
        return { code: "UnknownReservationField", severity: "info", message, source: sourceId };
      }),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
