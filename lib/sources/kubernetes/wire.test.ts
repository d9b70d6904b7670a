import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeObject, encodeWatchEvent } from "./protobuf.ts";
import { createWatchDecoder, decodeListPage, decodeStatus } from "./wire.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf;stream=watch";
const JSON_WATCH = "application/json;stream=watch";

const pods = ["a", "ä😀", "c\u2028d"].map((name) => ({ metadata: { name, uid: "u" } }));
const jsonStream = Buffer.from(
  pods.map((object) => `${JSON.stringify({ type: "ADDED", object })}\n`).join(""),
);
const protobufStream = Buffer.concat(
  pods.map((object) => encodeWatchEvent("ADDED", encodeObject("Pod", object))),
);

describe("createWatchDecoder", () => {
  test.each([
    ["JSON", JSON_WATCH, jsonStream],
    ["protobuf", PROTOBUF, protobufStream],
  ])("reads the same events of %s, however the stream is cut", (_, contentType, stream) => {
    const cuts = fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (positions) => {
        const decode = createWatchDecoder(contentType);
        const edges = [0, ...positions.sort((a, b) => a - b), stream.length];
        const items = edges.slice(1).flatMap((end, index) => decode(stream.subarray(edges[index], end)));
        expect(items).toMatchObject(pods.map((object) => ({ type: "ADDED", object })));
      }),
    );
  });

  test.each<[string, string, string]>([
    ["no JSON", JSON_WATCH, "this is no event\n"],
    ["JSON, but no event", JSON_WATCH, '{"kind":"Pod"}\n'],
    ["an event of an unknown type", JSON_WATCH, '{"type":"RENAMED","object":{}}\n'],
    ["null", JSON_WATCH, "null\n"],
    ["no frames", PROTOBUF, "this is no event\n"],
    ["a frame that holds no event", PROTOBUF, "\0\0\0\u0004\u000f\u000f\u000f\u000f"],
  ])("%s is malformed", (_, contentType, text) => {
    expect(createWatchDecoder(contentType)(Buffer.from(text))).toEqual([
      { type: "malformed", why: expect.any(String) },
    ]);
  });

  test("skips empty lines, and keeps what has no end yet", () => {
    const decode = createWatchDecoder(JSON_WATCH);
    expect(decode(Buffer.from('\n\n{"type":"BOOKMARK"'))).toEqual([]);
    expect(decode(Buffer.from(',"object":{}}\n\n'))).toEqual([{ type: "BOOKMARK", object: {} }]);
  });
});

describe("decodeListPage", () => {
  const list = { metadata: { resourceVersion: "7", continue: "t" }, items: pods };

  test.each([
    ["JSON", Buffer.from(JSON.stringify(list)), "application/json"],
    ["protobuf", encodeObject("PodList", list), "application/vnd.kubernetes.protobuf"],
  ])("reads a page of %s", (_, body, contentType) => {
    expect(decodeListPage(body, contentType)).toMatchObject({
      items: pods,
      resourceVersion: "7",
      continueToken: "t",
    });
  });

  test("an empty list may have null for its items", () => {
    expect(
      decodeListPage(Buffer.from('{"metadata":{"resourceVersion":"1"},"items":null}'), "application/json"),
    ).toEqual({
      items: [],
      resourceVersion: "1",
      continueToken: "",
    });
  });

  test.each([
    ["<html>", "text/html"],
    ['{"items":{}}', "application/json"],
    ["k8s\0", "application/vnd.kubernetes.protobuf"],
    ["", "application/json"],
  ])("throws for %j as %s", (body, contentType) => {
    expect(() => decodeListPage(Buffer.from(body), contentType)).toThrow();
  });
});

test("decodeStatus reads both wires and gives undefined for what is neither", () => {
  const status = { status: "Failure", message: "no", code: 403 };
  expect(decodeStatus(Buffer.from(JSON.stringify(status)), "application/json")).toEqual(status);
  expect(decodeStatus(encodeObject("Status", status), "application/vnd.kubernetes.protobuf")).toMatchObject(
    status,
  );
  expect(decodeStatus(Buffer.from("<html>Bad Gateway"), "text/html")).toBeUndefined();
});
