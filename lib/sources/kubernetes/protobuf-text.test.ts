import fc from "fast-check";
import protobuf from "protobufjs";
import { expect, it } from "vitest";
import { createTextReader } from "./protobuf-text.ts";

/** More short texts than are remembered, so that they take each other's places, and some that never are. */
const text = fc.oneof(
  fc.nat(9_999).map((number) => `pod-${number}`),
  fc.string({ unit: "binary", maxLength: 80 }),
);

it("reads what was written, whatever it has read before", () => {
  const read = createTextReader();
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
      const writer = protobuf.Writer.create();
      for (const one of texts) writer.string(one);
      const bytes = writer.finish();
      const reader = protobuf.Reader.create(bytes);
      expect(texts.map(() => read(reader))).toEqual(texts.map((one) => one.toWellFormed()));
      expect(reader.pos).toBe(bytes.length);
    }),
    { numRuns: 500 },
  );
});

it("refuses a text that is longer than what is there", () => {
  const reader = protobuf.Reader.create(Buffer.from([5, 97, 98]));
  expect(() => createTextReader()(reader)).toThrow("index out of range");
});
