import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameSplitter } from "./frame-splitter.ts";
import { ProtobufError } from "./protobuf-error.ts";

function framed(frame: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(frame.length);
  return Buffer.concat([length, frame]);
}

describe("FrameSplitter", () => {
  it("gives the same frames however the stream is cut", () => {
    const frames = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 });
    fc.assert(
      fc.property(frames, fc.array(fc.nat(250)), (frames, cuts) => {
        const stream = Buffer.concat(frames.map(framed));
        const at = [0, ...cuts.filter((cut) => cut < stream.length).sort((a, b) => a - b), stream.length];
        const splitter = new FrameSplitter();
        const got = at.slice(1).flatMap((end, index) => splitter.push(stream.subarray(at[index], end)));
        expect(got.map((frame) => [...frame])).toEqual(frames.map((frame) => [...frame]));
        expect(splitter.pending).toBe(0);
      }),
    );
  });

  it("knows that a frame is not complete", () => {
    const splitter = new FrameSplitter();
    expect(splitter.push(framed(Buffer.from("whole")).subarray(0, 7))).toEqual([]);
    expect(splitter.pending).toBe(7);
  });

  it("refuses the length that text would have", () => {
    const splitter = new FrameSplitter();
    expect(() => splitter.push(Buffer.from('{"type":"ADDED"}'))).toThrow(
      new ProtobufError("a frame of 2065855609 bytes: this is no protobuf watch"),
    );
  });

  it("takes a large frame in small chunks without copying it each time", () => {
    const frame = Buffer.alloc(8 * 1024 * 1024, 7);
    const stream = framed(frame);
    const splitter = new FrameSplitter();
    const got: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += 4_096)
      got.push(...splitter.push(stream.subarray(at, at + 4_096)));
    expect(got.map((each) => each.length)).toEqual([frame.length]);
  });
});
