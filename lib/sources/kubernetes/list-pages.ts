import { SourceError } from "../source-error.ts";
import type { Connection } from "./connection.ts";
import type { SilenceLimit } from "./silence.ts";
import type { WatchedRecord, WatchedResource } from "./watched-resource.ts";
import { decodeListPage, type ListPage } from "./wire.ts";

/** Objects a page: what kubectl and client-go ask for. */
const PAGE_SIZE = 500;

type ListedResource = Pick<WatchedResource<WatchedRecord>, "path" | "accept" | "fieldSelector">;

/**
 * Reads a whole resource page by page, gives each object to `take` and resolves to the resourceVersion of the list.
 * Throws SourceError; `expired` where the pages took longer than the server keeps their version.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks
 */
export async function listPages(
  connection: Connection,
  resource: ListedResource,
  limit: SilenceLimit,
  take: (object: unknown) => void,
): Promise<string> {
  for (let token = ""; ; ) {
    const page = await readPage(connection, resource, { limit: PAGE_SIZE, continue: token }, limit);
    for (const item of page.items) take(item);
    token = page.continueToken;
    if (token === "") return page.resourceVersion;
  }
}

/** The resourceVersion that a resource has reached, without reading it. */
export async function readVersion(
  connection: Connection,
  resource: ListedResource,
  limit: SilenceLimit,
): Promise<string> {
  return (await readPage(connection, resource, { limit: 1 }, limit)).resourceVersion;
}

async function readPage(
  connection: Connection,
  { path: resourcePath, accept, fieldSelector }: ListedResource,
  parameters: { readonly limit: number; readonly continue?: string },
  limit: SilenceLimit,
): Promise<ListPage> {
  const query = new URLSearchParams({ limit: String(parameters.limit) });
  if (parameters.continue) query.set("continue", parameters.continue);
  if (fieldSelector !== undefined) query.set("fieldSelector", fieldSelector);
  const path = `${resourcePath}?${query}`;
  const { contentType, body } = await connection.open(path, { accept, signal: limit.signal });
  limit.heard();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    limit.heard();
    chunks.push(chunk);
  }
  try {
    return decodeListPage(Buffer.concat(chunks), contentType);
  } catch (cause) {
    throw new SourceError("invalid", `The answer to ${path} is no list: ${String(cause).slice(0, 200)}`, {
      cause,
    });
  }
}
