import type protobuf from "protobufjs";

/** Strings that are remembered; a new one takes the place of another one. */
const SLOTS = 4_096;
/** Bytes; longer strings are hardly ever alike. */
const LONGEST = 64;

/**
 * Reads strings, and for most of them makes none: the pods of a cluster say the same labels, reasons and names of
 * resources again and again, and a string that was made before is found by its bytes.
 */
export function createTextReader(): (reader: protobuf.Reader) => string {
  const slots = new Array<string>(SLOTS).fill("");
  return (reader) => {
    const before = reader.pos;
    const length = reader.size();
    const slot = slotOf(reader.buf, reader.pos, length);
    if (slot < 0) {
      reader.pos = before;
      return reader.string();
    }
    const known = slots[slot] ?? "";
    if (isText(known, reader.buf, reader.pos, length)) {
      reader.skip(length);
      return known;
    }
    reader.pos = before;
    const text = reader.string();
    slots[slot] = text;
    return text;
  };
}

/** Where a string of these bytes is remembered; -1: nowhere, since it is long or not ASCII. */
function slotOf(bytes: Uint8Array, start: number, length: number): number {
  if (length > LONGEST) return -1;
  let hash = length;
  for (let at = start; at < start + length; at += 1) {
    const byte = bytes[at] ?? 0xff;
    if (byte > 0x7f) return -1;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

function isText(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let at = 0; at < length; at += 1) if (text.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}
