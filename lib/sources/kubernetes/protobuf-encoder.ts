import protobuf from "protobufjs";
import { ProtobufError } from "./protobuf-error.ts";
import { EMBEDDED } from "./protobuf-schema.ts";
import { wireTime } from "./protobuf-time.ts";

type Json = Record<string, unknown>;

/** Makes of a JSON value what the library writes; throws a ProtobufError that names the field by `path`. */
type ToWire = (json: unknown, path: string) => unknown;

/**
 * Writes messages of a type, of the declared fields of their JSON. The returned function throws a ProtobufError that names
 * the field where one has a wrong type.
 */
export function messageEncoder(type: protobuf.Type): (json: unknown) => Uint8Array {
  const toWire = messageToWire(type);
  return (json) => type.encode(toWire(json, type.name)).finish();
}

function messageToWire(type: protobuf.Type): (json: unknown, path: string) => Json {
  const fields = type.fieldsArray.map((field) => ({
    name: field.name,
    embedded: field.type === EMBEDDED,
    toWire: fieldToWire(field),
  }));
  return (json, path) => {
    const from = object(json, path);
    const wire: Json = {};
    for (const { name, embedded, toWire } of fields) {
      const value = embedded ? from : Object.hasOwn(from, name) ? from[name] : undefined;
      if (value !== undefined && value !== null) wire[name] = toWire(value, `${path}.${name}`);
    }
    return wire;
  };
}

function fieldToWire(field: protobuf.Field): ToWire {
  const value = valueToWire(field);
  return field.map ? mapOf(value) : field.repeated ? listOf(value) : value;
}

function valueToWire({ type, resolvedType }: protobuf.Field): ToWire {
  switch (type) {
    case "string":
      return scalar((json) => typeof json === "string", "string");
    case "bool":
      return scalar((json) => typeof json === "boolean", "boolean");
    case "int32":
      return scalar((json) => Number.isInteger(json) && json === (Number(json) | 0), "32-bit integer");
    case "int64":
      return scalar(Number.isSafeInteger, "integer");
    case "bytes":
      return scalar((json) => json instanceof Uint8Array, "bytes");
    case "Quantity":
      return quantity;
    case "Time":
    case "MicroTime":
      return (json, path) => wireTime(json, type === "MicroTime", path);
    default:
      if (resolvedType instanceof protobuf.Type) return messageToWire(resolvedType);
      throw new ProtobufError(`the schema has no conversion for ${type}`);
  }
}

function scalar(is: (json: unknown) => boolean, expected: string): ToWire {
  return (json, path) => {
    if (!is(json)) throw new ProtobufError(`${path}: ${expected} expected`);
    return json;
  };
}

/** A string in JSON; a bare number is taken too, as API servers do. */
function quantity(json: unknown, path: string): { readonly string: string } {
  if (typeof json !== "string" && typeof json !== "number") {
    throw new ProtobufError(`${path}: quantity expected`);
  }
  return { string: String(json) };
}

function listOf(value: ToWire): ToWire {
  return (json, path) => {
    if (!Array.isArray(json)) throw new ProtobufError(`${path}: list expected`);
    return json.map((item, index) => value(item, `${path}[${index}]`));
  };
}

function mapOf(value: ToWire): ToWire {
  return (json, path) =>
    Object.fromEntries(
      Object.entries(object(json, path)).map(([key, item]) => [key, value(item, `${path}["${key}"]`)]),
    );
}

function object(json: unknown, path: string): Json {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new ProtobufError(`${path}: object expected`);
  }
  // It was checked just before.
  return json as Json;
}
