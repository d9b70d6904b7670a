import fc from "fast-check";
import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import { decodeObject, decodeWatchEvent, encodeObject, encodeWatchEvent } from "./protobuf.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { PROTOBUF_SCHEMA } from "./protobuf-schema.ts";

const { root } = protobuf.parse(PROTOBUF_SCHEMA, { keepCase: true });
root.resolveAll();

const KINDS = ["Pod", "Node", "Event", "PodList", "NodeList", "EventList", "Status"];

const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "",
    "__proto__",
    "constructor",
    "<script>alert(1)</script>",
    "a\0b",
    "\u202Eevil",
    "größe ✓ 𝕏",
    "nvidia.com/gpu",
  ),
);
const quantity = fc.oneof(fc.constantFrom("8", "500m", "1e3", "-5", "1Ki", "0.5", "abc", ""), hostileText);
const seconds = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
const iso = seconds.map((date) => `${date.toISOString().slice(0, 19)}Z`);
const isoMicro = fc
  .tuple(iso, fc.integer({ min: 0, max: 999_999 }))
  .map(([text, micros]) => `${text.slice(0, 19)}.${String(micros).padStart(6, "0")}Z`);

/** Values of one field that the schema can hold, in JSON. */
function anyValue(type: string, message: protobuf.Type | undefined): fc.Arbitrary<unknown> {
  switch (type) {
    case "string":
      return hostileText;
    case "bool":
      return fc.boolean();
    case "int32":
      return fc.integer();
    case "int64":
      return fc.maxSafeInteger();
    case "Quantity":
      return quantity;
    case "Time":
      return iso;
    case "MicroTime":
      return isoMicro;
    default:
      if (!message) throw new Error(`no values for ${type}`);
      return anyMessage(message);
  }
}

/** JSON of a message: any of its fields, absent or null at times, and one that the schema does not declare. */
function anyMessage(type: protobuf.Type): fc.Arbitrary<Record<string, unknown>> {
  const fields: Record<string, fc.Arbitrary<unknown>> = { managedFields: fc.anything() };
  let inline: fc.Arbitrary<object> = fc.constant({});
  for (const field of type.fieldsArray) {
    const message = field.resolvedType instanceof protobuf.Type ? field.resolvedType : undefined;
    const value = anyValue(field.type, message);
    if (field.type === "VolumeSource" && message) inline = anyMessage(message);
    else if (field.map) {
      fields[field.name] = fc.array(fc.tuple(hostileText, value), { maxLength: 3 }).map(Object.fromEntries);
    } else fields[field.name] = field.repeated ? fc.array(value, { maxLength: 2 }) : value;
    const plain = fields[field.name];
    if (plain) fields[field.name] = fc.option(plain);
  }
  return fc
    .tuple(fc.record(fields, { requiredKeys: [] }), inline)
    .map(([record, more]) => ({ ...record, ...more }));
}

/** What must be left of `json`: declared fields, without those that say absent (null, "", no elements). */
function declared(type: protobuf.Type, json: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const field of type.fieldsArray) {
    const message = field.resolvedType instanceof protobuf.Type ? field.resolvedType : undefined;
    const one = (item: unknown) =>
      message && !["Quantity", "Time", "MicroTime"].includes(message.name) ? declared(message, item) : item;
    if (field.type === "VolumeSource") {
      Object.assign(result, one(json));
      continue;
    }
    const value = Object(json)[field.name];
    if (value === undefined || value === null || value === "") continue;
    const entries = Object.entries(value);
    if (field.map && entries.length > 0) {
      result[field.name] = Object.fromEntries(entries.map(([key, item]) => [key, one(item)]));
    } else if (field.repeated && value.length > 0) result[field.name] = value.map(one);
    else if (!field.map && !field.repeated) result[field.name] = one(value);
  }
  return result;
}

describe.each(KINDS)("%s", (kind) => {
  const type = root.lookupType(`k8s.${kind}`);

  it("comes back as the declared part of its JSON", () => {
    fc.assert(
      fc.property(anyMessage(type), (json) => {
        const expected = { apiVersion: "v1", kind, ...declared(type, json) };
        expect(decodeObject(encodeObject(kind, json))).toStrictEqual({
          apiVersion: "v1",
          kind,
          object: expected,
        });
      }),
      { numRuns: 60 },
    );
  });
});

describe("bytes that are no object", () => {
  const pod = encodeObject("Pod", { metadata: { name: "a", labels: { b: "c" } }, spec: { nodeName: "n" } });
  const quietly = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(ProtobufError);
    }
  };

  it("never throw anything but a ProtobufError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        quietly(() => decodeObject(bytes));
        quietly(() => decodeWatchEvent(bytes));
        quietly(() => decodeObject(Buffer.concat([pod.subarray(0, 4), bytes])));
      }),
    );
  });

  it("are refused when cut off anywhere", () => {
    for (let length = 0; length < pod.length; length++) {
      expect(() => decodeObject(pod.subarray(0, length))).toThrow(ProtobufError);
    }
  });

  it("survive any single changed byte", () => {
    const frame = encodeWatchEvent("ADDED", pod).subarray(4);
    fc.assert(
      fc.property(fc.nat(frame.length - 1), fc.nat(255), (at, byte) => {
        const changed = Uint8Array.from(frame);
        changed[at] = byte;
        quietly(() => decodeWatchEvent(changed));
      }),
    );
  });
});
