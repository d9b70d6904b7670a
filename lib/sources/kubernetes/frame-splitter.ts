import { ProtobufError } from "./protobuf-error.ts";

/** Longest frame that is taken: far above etcd's limit of 1.5 MB an object, far below what would hurt. */
const LIMIT = 64 * 1024 * 1024;

/** Cuts the byte stream of a protobuf watch into frames, however its chunks are cut. */
export class FrameSplitter {
  #chunks: Uint8Array[] = [];
  #length = 0;
  /** Bytes that the next frame needs, its length included. */
  #needed = 4;

  /** Bytes of a frame that is not complete yet; more than 0 at the end of a stream means that it was cut off. */
  get pending(): number {
    return this.#length;
  }

  /** Takes a chunk, gives the frames that it completes, without their lengths. Throws a ProtobufError for an absurd length. */
  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#needed) return [];
    const [first] = this.#chunks;
    // Servers send an event at a time: most chunks are whole frames, and are not copied.
    const bytes = this.#chunks.length === 1 && first ? bufferOf(first) : Buffer.concat(this.#chunks);
    const frames: Uint8Array[] = [];
    let at = 0;
    this.#needed = 4;
    while (bytes.length - at >= this.#needed) {
      const length = bytes.readUInt32BE(at);
      if (length > LIMIT) throw new ProtobufError(`a frame of ${length} bytes: this is no protobuf watch`);
      this.#needed = 4 + length;
      if (bytes.length - at < this.#needed) break;
      frames.push(bytes.subarray(at + 4, at + this.#needed));
      at += this.#needed;
      this.#needed = 4;
    }
    this.#chunks = at < bytes.length ? [bytes.subarray(at)] : [];
    this.#length = bytes.length - at;
    return frames;
  }
}

/** The same bytes. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
