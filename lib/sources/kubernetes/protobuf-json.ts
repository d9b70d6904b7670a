import protobuf from "protobufjs";
import { ProtobufError } from "./protobuf-error.ts";
import { PROTOBUF_SCHEMA } from "./protobuf-schema.ts";
import { isoTime, wireTime } from "./protobuf-time.ts";

/** Turns one message of the schema into the JSON shape of Kubernetes' API and back. */
export interface MessageCodec {
  /** Throws a ProtobufError. */
  readonly decode: (bytes: Uint8Array) => Record<string, unknown>;
  /** Takes the declared fields out of `json`; throws a ProtobufError that names the field where one has a wrong type. */
  readonly encode: (json: unknown) => Uint8Array;
}

/** How a value goes to JSON (undefined: it is not there) and to the wire. */
interface Conversion {
  readonly toJson: (wire: unknown) => unknown;
  readonly toWire: (json: unknown, path: string) => unknown;
}

interface FieldConversion extends Conversion {
  readonly name: string;
  /** Its fields lie in the parent's JSON, as those of Go's embedded structs do. */
  readonly inline: boolean;
}

const INLINE = "VolumeSource";

const { root } = protobuf.parse(PROTOBUF_SCHEMA, { keepCase: true });
root.resolveAll();

/** The codec of a message; undefined where the schema has none of that name. */
export function messageCodec(name: string): MessageCodec | undefined {
  const type = root.lookup(["k8s", name]);
  if (!(type instanceof protobuf.Type)) return undefined;
  const conversion = messageConversion(type);
  return {
    decode: (bytes) => {
      try {
        return record(conversion.toJson(type.decode(bytes)));
      } catch (cause) {
        throw new ProtobufError(`not a ${name} in protobuf: ${String(cause)}`, { cause });
      }
    },
    encode: (json) => type.encode(record(conversion.toWire(json, name))).finish(),
  };
}

function messageConversion(type: protobuf.Type): Conversion {
  const fields = type.fieldsArray.map(fieldConversion);
  return {
    toJson: (wire) => {
      const from = record(wire);
      const json: Record<string, unknown> = {};
      for (const { name, inline, toJson } of fields) {
        const value = Object.hasOwn(from, name) ? toJson(from[name]) : undefined;
        if (inline) Object.assign(json, value);
        else if (value !== undefined) json[name] = value;
      }
      return json;
    },
    toWire: (json, path) => {
      const from = object(json, path);
      const wire: Record<string, unknown> = {};
      for (const { name, inline, toWire } of fields) {
        const value = inline ? from : Object.hasOwn(from, name) ? from[name] : undefined;
        if (value !== undefined && value !== null) wire[name] = toWire(value, `${path}.${name}`);
      }
      return wire;
    },
  };
}

function fieldConversion(field: protobuf.Field): FieldConversion {
  const value = valueConversion(field);
  const conversion = field.map ? mapOf(value) : field.repeated ? listOf(value) : value;
  const single = conversion === value;
  return {
    name: field.name,
    inline: field.type === INLINE,
    // API servers send empty strings where JSON has no field.
    toJson: single ? (wire) => (wire === "" ? undefined : value.toJson(wire)) : conversion.toJson,
    toWire: conversion.toWire,
  };
}

function valueConversion({ type, resolvedType }: protobuf.Field): Conversion {
  switch (type) {
    case "string":
      return scalar((json) => typeof json === "string", "string");
    case "bool":
      return scalar((json) => typeof json === "boolean", "boolean");
    case "int32":
      return scalar((json) => Number.isInteger(json) && json === (Number(json) | 0), "32-bit integer");
    case "int64":
      return { ...scalar(Number.isSafeInteger, "integer"), toJson: int64 };
    case "bytes":
      return scalar((json) => json instanceof Uint8Array, "bytes");
    case "Quantity":
      return QUANTITY;
    case "Time":
    case "MicroTime":
      return time(type === "MicroTime");
    default:
      if (resolvedType instanceof protobuf.Type) return messageConversion(resolvedType);
      throw new ProtobufError(`the schema has no conversion for ${type}`);
  }
}

function scalar(is: (json: unknown) => boolean, expected: string): Conversion {
  return {
    toJson: (wire) => wire,
    toWire: (json, path) => {
      if (!is(json)) throw new ProtobufError(`${path}: ${expected} expected`);
      return json;
    },
  };
}

/** A string in JSON; a bare number is taken too, as API servers do. */
const QUANTITY: Conversion = {
  toJson: (wire) => record(wire).string,
  toWire: (json, path) => {
    if (typeof json !== "string" && typeof json !== "number") {
      throw new ProtobufError(`${path}: quantity expected`);
    }
    return { string: String(json) };
  },
};

function time(micro: boolean): Conversion {
  return {
    toJson: (wire) => {
      const { seconds, nanos } = record(wire);
      // An empty message is Go's zero time, which JSON shows as null.
      if (!Object.hasOwn(record(wire), "seconds")) return undefined;
      return isoTime({ seconds: int64(seconds), nanos: Number(nanos ?? 0) }, micro);
    },
    toWire: (json, path) => wireTime(json, micro, path),
  };
}

function listOf(value: Conversion): Conversion {
  return {
    toJson: (wire) => (Array.isArray(wire) && wire.length > 0 ? wire.map(value.toJson) : undefined),
    toWire: (json, path) => {
      if (!Array.isArray(json)) throw new ProtobufError(`${path}: list expected`);
      return json.map((item, index) => value.toWire(item, `${path}[${index}]`));
    },
  };
}

function mapOf(value: Conversion): Conversion {
  return {
    toJson: (wire) => {
      const entries = Object.entries(record(wire));
      return entries.length > 0
        ? Object.fromEntries(entries.map(([key, item]) => [key, value.toJson(item)]))
        : undefined;
    },
    toWire: (json, path) =>
      Object.fromEntries(
        Object.entries(object(json, path)).map(([key, item]) => [
          key,
          value.toWire(item, `${path}["${key}"]`),
        ]),
      ),
  };
}

/** The decoder gives a Long. */
function int64(wire: unknown): number {
  return protobuf.util.LongBits.from(wire as number | protobuf.Long).toNumber();
}

function object(json: unknown, path: string): Record<string, unknown> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new ProtobufError(`${path}: object expected`);
  }
  return record(json);
}

/** Only for what is known to be an object: a decoded message, or JSON that was checked. */
function record(value: unknown): Record<string, unknown> {
  return value as Record<string, unknown>;
}
