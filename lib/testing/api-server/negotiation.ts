import { hasProtobuf } from "../../sources/kubernetes/protobuf.ts";
import { type ApiResource, apiVersionOf } from "./api-resource.ts";
import type { ResourceRequest } from "./request.ts";
import { failure, StatusError } from "./status.ts";
import { tableFormat } from "./table.ts";
import { JSON_FORMAT, PROTOBUF_FORMAT, type WireFormat } from "./wire-format.ts";

interface Options {
  /** false: JSON whatever is asked. */
  readonly protobuf: boolean;
  readonly now: () => number;
}

/** The first format of the Accept header that the server has for this request. Throws a 406 Status where it has none. */
export function negotiate(
  accept: string | undefined,
  resource: ApiResource,
  { verb, query }: ResourceRequest,
  options: Options,
): WireFormat {
  const table = tableFormat(resource.kind, query.get("includeObject"), options.now);
  const protobuf = hasProtobuf(apiVersionOf(resource), resource.kind) ? PROTOBUF_FORMAT : undefined;
  const ranges = (accept ?? "*/*").split(",").map(parseRange);
  const first = (offers: readonly (WireFormat | undefined)[]) =>
    ranges.map((range) => offers.find((offer) => offer && matches(range, offer, table))).find(Boolean);
  if (!options.protobuf) return first([JSON_FORMAT, table]) ?? JSON_FORMAT;
  // The schema drops what the reader does not need, and who asks for one object (`kubectl describe`) wants all of it.
  const format =
    verb === "get"
      ? (first([JSON_FORMAT, table]) ?? first([protobuf]))
      : first([protobuf, JSON_FORMAT, table]);
  if (!format) throw new StatusError(failure(406));
  return format;
}

interface MediaRange {
  readonly type: string;
  /** The kind of answer that is asked for instead of the object itself, e.g. `Table`. */
  readonly as: string | undefined;
}

function parseRange(text: string): MediaRange {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  return { type, as: parameters.find((parameter) => parameter.startsWith("as="))?.slice(3) };
}

function matches({ type, as }: MediaRange, offer: WireFormat, table: WireFormat | undefined): boolean {
  if (as !== undefined) return as === "Table" && type === "application/json" && offer === table;
  if (offer === table) return false;
  return type === offer.contentType || (offer === JSON_FORMAT && /^(?:\*|application)\/\*$/.test(type));
}
