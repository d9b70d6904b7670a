import { encodeObject, encodeWatchEvent } from "../../sources/kubernetes/protobuf.ts";
import { textAt } from "./json-value.ts";

/** How objects are written into an answer; one holds for a whole answer, as negotiated. */
export interface WireFormat {
  readonly contentType: string;
  readonly watchContentType: string;
  /** Whether an object fits into the format. */
  readonly holds: (object: object) => boolean;
  /** A whole answer: an object, a list or a Status. Throws where it does not fit. */
  readonly body: (object: object) => string | Uint8Array;
  /** One event of a watch with its framing. Throws where the object does not fit. */
  readonly event: (type: string, object: object) => string | Uint8Array;
}

/** Plain JSON, which holds everything; a watch is one line an event. */
export const JSON_FORMAT: WireFormat = {
  contentType: "application/json",
  watchContentType: "application/json",
  holds: () => true,
  body: (object) => `${JSON.stringify(object)}\n`,
  event: (type, object) => `${JSON.stringify({ type, object })}\n`,
};

/**
 * Kubernetes' protobuf, as far as the reader's schema goes. Malformed objects, which a real server never has, do not fit into it:
 * they are answered as JSON, so that a reader gets to see what is wrong with them.
 */
export const PROTOBUF_FORMAT: WireFormat = {
  contentType: "application/vnd.kubernetes.protobuf",
  watchContentType: "application/vnd.kubernetes.protobuf;stream=watch",
  holds: (object) => {
    try {
      encode(object);
      return true;
    } catch {
      return false;
    }
  },
  body: encode,
  event: (type, object) => encodeWatchEvent(type, encode(object)),
};

/** Objects of the store never change, and each is written for several watches. */
const encoded = new WeakMap<object, Uint8Array>();

function encode(object: object): Uint8Array {
  const known = encoded.get(object);
  if (known) return known;
  const bytes = encodeObject(textAt(object, "kind"), object);
  encoded.set(object, bytes);
  return bytes;
}
