/** Longest line that is taken: far above etcd's limit of 1.5 MB an object. */
const LIMIT = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Cuts the byte stream of a JSON watch into lines, however its chunks are cut. */
export class LineSplitter {
  #chunks: Uint8Array[] = [];
  #length = 0;

  /** Takes a chunk, gives the lines that it completes, without empty ones. Throws where a line is endless. */
  push(chunk: Uint8Array): readonly string[] {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#keep(chunk);
      return [];
    }
    const complete = Buffer.concat([...this.#chunks, chunk.subarray(0, end)]);
    this.#chunks = [];
    this.#length = 0;
    this.#keep(chunk.subarray(end + 1));
    return splitLines(complete);
  }

  #keep(chunk: Uint8Array): void {
    this.#length += chunk.length;
    if (this.#length > LIMIT) throw new Error(`a line of more than ${LIMIT} bytes: this is no watch`);
    if (chunk.length > 0) this.#chunks.push(chunk);
  }
}

/** Decoded one by one, so that no string that is kept holds on to a whole chunk. */
function splitLines(bytes: Buffer): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    if (end > start) lines.push(bytes.toString("utf8", start, end));
    start = end + 1;
  }
  return lines;
}
