import protobuf from "protobufjs";
import { messageDecoder } from "./protobuf-decoder.ts";
import { messageEncoder } from "./protobuf-encoder.ts";
import { PROTOBUF_SCHEMA } from "./protobuf-schema.ts";

/** Turns one message of the schema into the JSON shape of Kubernetes' API and back. */
export interface MessageCodec {
  /** Throws a ProtobufError. */
  readonly decode: (bytes: Uint8Array) => Record<string, unknown>;
  /** Takes the declared fields out of `json`; throws a ProtobufError that names the field where one has a wrong type. */
  readonly encode: (json: unknown) => Uint8Array;
}

const { root } = protobuf.parse(PROTOBUF_SCHEMA, { keepCase: true });
root.resolveAll();

/** The codec of a message; undefined where the schema has none of that name. */
export function messageCodec(name: string): MessageCodec | undefined {
  const type = root.lookup(["k8s", name]);
  if (!(type instanceof protobuf.Type)) return undefined;
  return { decode: messageDecoder(type), encode: messageEncoder(type) };
}
