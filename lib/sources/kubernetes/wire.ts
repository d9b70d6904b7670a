import { FrameSplitter } from "./frame-splitter.ts";
import { LineSplitter } from "./line-splitter.ts";
import { decodeList, decodeObject, decodeWatchEvent } from "./protobuf.ts";
import { rawObject } from "./raw.ts";

/**
 * Both wires of the Kubernetes API, told apart by the content type of the answer.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#alternate-representations-of-resources
 */

/** Protobuf where the server has it for this kind, else JSON. */
export const ACCEPT = "application/vnd.kubernetes.protobuf,application/json";

/** JSON only. */
export const ACCEPT_JSON = "application/json";

/** One event of a watch; `object` is JSON-shaped, and a Status where `type` is ERROR. */
export type WatchItem =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR"; readonly object: unknown }
  /** Bytes that are no event. */
  | { readonly type: "malformed"; readonly why: string };

/** One page of a list. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly resourceVersion: string;
  /** Token for the next page; empty on the last one. */
  readonly continueToken: string;
}

/** The object in an answer's body; undefined where it is none. */
export function decodeStatus(body: Uint8Array, contentType: string): unknown {
  try {
    return isProtobuf(contentType) ? decodeObject(body).object : parseJson(body);
  } catch {
    return undefined;
  }
}

/** Throws where the body is no list. */
export function decodeListPage(body: Uint8Array, contentType: string): ListPage {
  if (isProtobuf(contentType)) {
    const { items, metadata } = decodeList(body);
    return { items, resourceVersion: metadata.resourceVersion, continueToken: metadata.continue };
  }
  const { items, metadata } = rawObject(parseJson(body));
  const { resourceVersion, continue: continueToken } = rawObject(metadata);
  // An empty list may come as null.
  if (!Array.isArray(items ?? [])) throw new Error("a list without items");
  return {
    items: Array.isArray(items) ? items : [],
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
    continueToken: typeof continueToken === "string" ? continueToken : "",
  };
}

/** Reads the chunks of a watch of this content type: each gives the events that it completes. */
export function createWatchDecoder(contentType: string): (chunk: Uint8Array) => readonly WatchItem[] {
  if (isProtobuf(contentType)) {
    const frames = new FrameSplitter();
    return (chunk) => decodeAll(() => frames.push(chunk), decodeWatchEvent);
  }
  const lines = new LineSplitter();
  return (chunk) =>
    decodeAll(
      () => lines.push(chunk),
      (line) => rawObject(JSON.parse(line)),
    );
}

/** Never throws: what cannot be split or decoded becomes a malformed item. */
function decodeAll<T>(
  split: () => readonly T[],
  decode: (part: T) => { readonly type?: unknown; readonly object?: unknown },
): readonly WatchItem[] {
  try {
    return split().map((part) => decodeItem(part, decode));
  } catch (error) {
    return [malformed(error)];
  }
}

function decodeItem<T>(
  part: T,
  decode: (part: T) => { readonly type?: unknown; readonly object?: unknown },
): WatchItem {
  try {
    const { type, object } = decode(part);
    return watchItem(type, object);
  } catch (error) {
    return malformed(error);
  }
}

function malformed(error: unknown): WatchItem {
  return { type: "malformed", why: (error instanceof Error ? error.message : String(error)).slice(0, 200) };
}

function watchItem(type: unknown, object: unknown): WatchItem {
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
    case "BOOKMARK":
    case "ERROR":
      return { type, object };
    default:
      return { type: "malformed", why: `an event of type ${JSON.stringify(type)?.slice(0, 40)}` };
  }
}

/** Whether an answer of this content type can be read; one without any is taken for JSON. */
export function isKubernetes(contentType: string): boolean {
  return contentType === "" || contentType.startsWith("application/json") || isProtobuf(contentType);
}

function isProtobuf(contentType: string): boolean {
  return contentType.startsWith("application/vnd.kubernetes.protobuf");
}

function parseJson(body: Uint8Array): unknown {
  return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
}
