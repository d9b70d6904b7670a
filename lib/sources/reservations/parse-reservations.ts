import { parseDocuments } from "../snapshot/parse-documents.ts";
import { AWS_FORMATS } from "./aws/formats.ts";
import { azureFormat } from "./azure/format.ts";
import { crusoeFormat } from "./crusoe/format.ts";
import type { DocumentProblem, ParsedReservations, ParseOptions, ReservationFormat } from "./format.ts";
import { gcpFormat } from "./gcp/format.ts";
import { genericFormat } from "./generic/parse.ts";
import { nebiusFormat } from "./nebius/format.ts";
import { ociFormat } from "./oci/format.ts";
import { emptyList } from "./provider/empty-list.ts";

/** The formats that are known; the first that recognises a document reads it. */
const FORMATS: readonly ReservationFormat[] = [
  genericFormat,
  ...AWS_FORMATS,
  gcpFormat,
  azureFormat,
  ociFormat,
  crusoeFormat,
  nebiusFormat,
  emptyList,
];

/** Reservations from an already parsed document; its format is recognised from what it holds. */
export function parseReservations(document: unknown, options: ParseOptions): ParsedReservations {
  const format = FORMATS.find((known) => known.recognises(document));
  return format?.parse(document, options) ?? wrong({ path: "", expected: known(), got: "something else" });
}

/** Reservations from the text of a file: JSON where its name says so, else YAML. */
export function parseReservationText(text: string, file: string, options: ParseOptions): ParsedReservations {
  const [first, second] = parseDocuments(text, /\.json$/i.test(file) ? "json" : "yaml");
  if (!first) return wrong({ path: "", expected: known(), got: "an empty file" });
  if ("error" in first) return wrong({ path: first.where, expected: first.error, got: "" });
  if (second) return wrong({ path: second.where, expected: "one document in the file", got: "a second one" });
  return parseReservations(first.value, options);
}

/** `file: path: expected this, got that`. */
export function describeProblem(file: string, { path, expected, got }: DocumentProblem): string {
  const where = [file, path].filter(Boolean).join(": ");
  const what = expected.startsWith("expected") ? expected : `expected ${expected}`;
  return `${where}: ${what}${got ? `, got ${got}` : ""}`;
}

function known(): string {
  return FORMATS.map(({ name }) => name).join(" or ");
}

function wrong(problem: DocumentProblem): ParsedReservations {
  return { reservations: [], problems: [problem], issues: [] };
}
