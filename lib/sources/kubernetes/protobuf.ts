import { ProtobufError } from "./protobuf-error.ts";
import { type MessageCodec, messageCodec } from "./protobuf-json.ts";

/**
 * Kubernetes' own wire format: `k8s\0`, then an Unknown message that names the kind and holds the object.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding
 */

/** A decoded object: what it is, and its declared fields in the JSON shape of the API (as far as they were sent). */
export interface DecodedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** One event of a watch. `object` is a Status where `type` is ERROR. */
export interface DecodedWatchEvent extends DecodedObject {
  readonly type: string;
}

/** A decoded list, or one page of it. */
export interface DecodedList {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty strings where they were not sent. */
  readonly metadata: { readonly resourceVersion: string; readonly continue: string };
  readonly items: readonly unknown[];
}

const MAGIC = Buffer.from("k8s\0");

const UNKNOWN = required("Unknown");
const WATCH_EVENT = required("WatchEvent");

/** `v1/KIND` -> codec, for the kinds that the schema has and their lists. */
const CODECS = new Map(
  ["Node", "NodeList", "Pod", "PodList", "Event", "EventList", "Status"].map((kind) => [
    `v1/${kind}`,
    required(kind),
  ]),
);

/** Whether objects of this kind can be read and written as protobuf. */
export function hasProtobuf(apiVersion: string, kind: string): boolean {
  return CODECS.has(`${apiVersion}/${kind}`);
}

/**
 * Writes an object, a list or a Status of `v1`. Fields that the schema does not declare are left out.
 * Throws a ProtobufError where a declared field has a wrong type.
 */
export function encodeObject(kind: string, json: unknown): Uint8Array {
  const raw = codecOf("v1", kind).encode(json);
  return Buffer.concat([MAGIC, UNKNOWN.encode({ typeMeta: { apiVersion: "v1", kind }, raw })]);
}

/** Reads an object, a list or a Status. Throws a ProtobufError for other bytes, and for kinds that the schema lacks. */
export function decodeObject(bytes: Uint8Array): DecodedObject {
  if (bytes.length < MAGIC.length || MAGIC.compare(bytes, 0, MAGIC.length) !== 0) {
    throw new ProtobufError("not an object of Kubernetes in protobuf: it does not begin with k8s\\0");
  }
  const { typeMeta, raw } = UNKNOWN.decode(bytes.subarray(MAGIC.length));
  if (raw === undefined) throw new ProtobufError("an answer in protobuf without an object");
  const apiVersion = text(typeMeta, "apiVersion");
  const kind = text(typeMeta, "kind");
  return {
    apiVersion,
    kind,
    object: { apiVersion, kind, ...codecOf(apiVersion, kind).decode(toBytes(raw)) },
  };
}

/** Reads a list or a page of one. Throws a ProtobufError, also where the answer is no list. */
export function decodeList(bytes: Uint8Array): DecodedList {
  const { apiVersion, kind, object } = decodeObject(bytes);
  if (!kind.endsWith("List")) throw new ProtobufError(`a list expected, but it is a ${kind}`);
  const items = Array.isArray(object.items) ? object.items : [];
  return {
    apiVersion,
    kind,
    metadata: {
      resourceVersion: text(object.metadata, "resourceVersion"),
      continue: text(object.metadata, "continue"),
    },
    items,
  };
}

/** Writes one event of a watch with its frame: the length as 4 bytes, big-endian, then a WatchEvent around `object`, as `encodeObject` gives it. */
export function encodeWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const event = WATCH_EVENT.encode({ type, object: { raw: object } });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

/** Reads one frame of a watch, without its length. Throws a ProtobufError. */
export function decodeWatchEvent(frame: Uint8Array): DecodedWatchEvent {
  const event = WATCH_EVENT.decode(frame);
  return { type: text(event, "type"), ...decodeObject(toBytes(fieldOf(event.object, "raw"))) };
}

function codecOf(apiVersion: string, kind: string): MessageCodec {
  const codec = CODECS.get(`${apiVersion}/${kind}`);
  if (!codec) throw new ProtobufError(`no protobuf schema for ${apiVersion} ${kind}`);
  return codec;
}

function required(name: string): MessageCodec {
  const codec = messageCodec(name);
  if (!codec) throw new ProtobufError(`the schema has no message ${name}`);
  return codec;
}

function fieldOf(message: unknown, field: string): unknown {
  return typeof message === "object" && message !== null ? Reflect.get(message, field) : undefined;
}

function text(message: unknown, field: string): string {
  const value = fieldOf(message, field);
  return typeof value === "string" ? value : "";
}

function toBytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}
