import protobuf from "protobufjs";
import { ProtobufError } from "./protobuf-error.ts";
import { EMBEDDED } from "./protobuf-schema.ts";
import { createTextReader } from "./protobuf-text.ts";
import { isoTime } from "./protobuf-time.ts";

type Json = Record<string, unknown>;

/** Reads the value at the reader's position; undefined where JSON has none. */
type Read = (reader: protobuf.Reader) => unknown;

/** A declared field: how it is marked on the wire, and how it gets into the JSON of its message. */
interface Field {
  readonly wireType: number;
  readonly read: (reader: protobuf.Reader, json: Json) => void;
}

/** By their numbers; a hole is a field that is skipped. */
type Fields = readonly (Field | undefined)[];

/** https://protobuf.dev/programming-guides/encoding/#structure */
const VARINT = 0;
const LENGTH_DELIMITED = 2;

const readText = createTextReader();

/**
 * Reads messages of a type in one pass over their bytes, straight into the JSON shape of Kubernetes' API: the library's
 * own objects between the two would cost more than all the rest. The returned function throws a ProtobufError.
 */
export function messageDecoder(type: protobuf.Type): (bytes: Uint8Array) => Json {
  const fields = fieldsOf(type);
  return (bytes) => {
    try {
      const json: Json = {};
      readFields(fields, protobuf.Reader.create(bytes), bytes.length, json);
      return json;
    } catch (cause) {
      throw new ProtobufError(`not a ${type.name} in protobuf: ${String(cause)}`, { cause });
    }
  };
}

function readFields(fields: Fields, reader: protobuf.Reader, end: number, json: Json): void {
  while (reader.pos < end) {
    const tag = reader.tag();
    const number = tag >>> 3;
    const wireType = tag & 7;
    const field = fields[number];
    if (field?.wireType === wireType) field.read(reader, json);
    else reader.skipType(wireType, 0, number);
  }
  if (reader.pos !== end) throw new RangeError("a field that is longer than its message");
}

/** Reads the message whose length is next into `json`. */
function readMessage(fields: Fields, reader: protobuf.Reader, json: Json): Json {
  const length = reader.size();
  readFields(fields, reader, reader.pos + length, json);
  return json;
}

function fieldsOf(type: protobuf.Type): Fields {
  const fields: (Field | undefined)[] = [];
  for (const field of type.fieldsArray) fields[field.id] = fieldOf(field);
  return fields;
}

function fieldOf(field: protobuf.Field): Field {
  const { name, type, resolvedType } = field;
  if (type === EMBEDDED && resolvedType instanceof protobuf.Type) {
    const fields = fieldsOf(resolvedType);
    return { wireType: LENGTH_DELIMITED, read: (reader, json) => void readMessage(fields, reader, json) };
  }
  const { wireType, read } = valueField(field);
  if (field.map) return { wireType: LENGTH_DELIMITED, read: mapReader(name, wireType, read) };
  if (field.repeated) return { wireType, read: listReader(name, read) };
  return {
    wireType,
    read: (reader, json) => {
      const value = read(reader);
      // API servers send empty strings where JSON has no field.
      if (value !== undefined && value !== "") json[name] = value;
    },
  };
}

function listReader(name: string, read: Read): Field["read"] {
  return (reader, json) => {
    const value = read(reader);
    const list = json[name];
    if (Array.isArray(list)) list.push(value);
    else json[name] = [value];
  };
}

/** Entries are messages of a key and a value. https://protobuf.dev/programming-guides/encoding/#maps */
function mapReader(name: string, wireType: number, read: Read): Field["read"] {
  const entry: Fields = [
    undefined,
    { wireType: LENGTH_DELIMITED, read: (reader, json) => (json.key = readText(reader)) },
    { wireType, read: (reader, json) => (json.value = read(reader)) },
  ];
  return (reader, json) => {
    const { key = "", value } = readMessage(entry, reader, {});
    setOwn(mapIn(json, name), String(key), value);
  };
}

/** The map of this name, a new one where there is none yet; no other value ever gets under the name of a map. */
function mapIn(json: Json, name: string): Json {
  json[name] ??= {};
  return json[name] as Json;
}

/** Assigns, also to `__proto__`, as a label may be called. */
function setOwn(map: Json, name: string, value: unknown): void {
  if (name !== "__proto__") map[name] = value;
  else Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
}

function valueField({ type, resolvedType }: protobuf.Field): {
  readonly wireType: number;
  readonly read: Read;
} {
  switch (type) {
    case "string":
      return { wireType: LENGTH_DELIMITED, read: readText };
    case "bytes":
      return { wireType: LENGTH_DELIMITED, read: (reader) => reader.bytes() };
    case "bool":
      return { wireType: VARINT, read: (reader) => reader.bool() };
    case "int32":
      return { wireType: VARINT, read: (reader) => reader.int32() };
    case "int64":
      return { wireType: VARINT, read: readInt64 };
    default:
      break;
  }
  if (!(resolvedType instanceof protobuf.Type)) {
    throw new ProtobufError(`the schema has no conversion for ${type}`);
  }
  const fields = fieldsOf(resolvedType);
  const message = (reader: protobuf.Reader) => readMessage(fields, reader, {});
  return { wireType: LENGTH_DELIMITED, read: inJson(type, message) };
}

/** What stands in JSON for a message of this type. */
function inJson(type: string, message: (reader: protobuf.Reader) => Json): Read {
  switch (type) {
    case "Quantity":
      return (reader) => message(reader).string ?? "";
    case "Time":
    case "MicroTime":
      return (reader) => {
        const { seconds, nanos = 0 } = message(reader);
        // An empty message is Go's zero time, which JSON shows as null.
        if (seconds === undefined) return undefined;
        return isoTime({ seconds: Number(seconds), nanos: Number(nanos) }, type === "MicroTime");
      };
    default:
      return message;
  }
}

/** The library gives a Long. */
function readInt64(reader: protobuf.Reader): number {
  return protobuf.util.LongBits.from(reader.int64()).toNumber();
}
