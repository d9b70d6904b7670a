import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiResource } from "./api-resource.ts";
import { AGGREGATED, discover, isRoot } from "./discovery.ts";
import type { Faults } from "./faults.ts";
import type { Lister } from "./list.ts";
import { negotiate } from "./negotiation.ts";
import type { ObjectStore } from "./object-store.ts";
import { answerLog } from "./pod-log.ts";
import { parseResourceRequest, type ResourceRequest } from "./request.ts";
import { failure, type Status, StatusError } from "./status.ts";
import type { Watcher } from "./watcher.ts";
import { JSON_FORMAT, type WireFormat } from "./wire-format.ts";

interface Parts {
  readonly store: ObjectStore;
  readonly lister: Lister;
  readonly watcher: Watcher;
  readonly faults: Faults;
  readonly protobuf: boolean;
  readonly aggregatedDiscovery: boolean;
  readonly logs: Readonly<Record<string, string>>;
  readonly now: () => number;
}

/** Answers one request; every error becomes a Status in the format that was asked for. Never throws. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
): Promise<void> {
  let format = JSON_FORMAT;
  try {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (request.method !== "GET") throw new StatusError(failure(405));
    const { accept = "" } = request.headers;
    const aggregated = parts.aggregatedDiscovery && accept.replaceAll(" ", "").includes(AGGREGATED);
    const document = discover(url.pathname, { ...parts, downGroups: parts.faults.downGroups }, aggregated);
    if (document !== undefined) {
      const contentType = aggregated && isRoot(url.pathname) ? AGGREGATED : JSON_FORMAT.contentType;
      send(response, { ...JSON_FORMAT, contentType }, 200, document);
      return;
    }
    if (answerLog(url, response, parts)) return;
    const wanted = parseResourceRequest(url);
    const resource = wanted && parts.store.resource(wanted.apiVersion, wanted.plural);
    if (!resource) {
      notFound(response);
      return;
    }
    if (parts.faults.downGroups.has(resource.group)) throw new StatusError(failure(503));
    format = negotiate(request.headers.accept, resource, wanted, parts);
    const { delay, status } = parts.faults.take(wanted.plural, wanted.verb);
    if (delay > 0) await sleep(delay, undefined, { ref: false });
    if (response.destroyed) return;
    if (status) throw new StatusError(status);
    answerResource(resource, wanted, response, format, parts);
  } catch (error) {
    const status = error instanceof StatusError ? error.status : failure(500, String(error));
    if (response.headersSent) response.destroy();
    else fail(response, format, status);
  }
}

function answerResource(
  resource: ApiResource,
  wanted: ResourceRequest,
  response: ServerResponse,
  format: WireFormat,
  { store, lister, watcher }: Parts,
): void {
  switch (wanted.verb) {
    case "watch":
      watcher.watch(resource, wanted, response, format);
      break;
    case "list":
      send(response, format, 200, lister.list(resource, wanted));
      break;
    case "get": {
      const name = wanted.name ?? "";
      const object = store.get(resource, wanted.namespace ?? "", name);
      if (!object) throw new StatusError(failure(404, `${resource.plural} "${name}" not found`));
      send(response, format, 200, object);
      break;
    }
    default:
      wanted.verb satisfies never;
  }
}

function fail(response: ServerResponse, format: WireFormat, status: Status): void {
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  if (status.code === 405) response.setHeader("allow", "GET");
  send(response, format, status.code, status);
}

/** API servers tell of a path that they do not know, such as that of a kind without its CRD, in plain text. */
function notFound(response: ServerResponse): void {
  response.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
  response.end("404 page not found\n");
}

function send(response: ServerResponse, format: WireFormat, code: number, object: object): void {
  const used = format.holds(object) ? format : JSON_FORMAT;
  const body = used.body(object);
  response.writeHead(code, { "content-type": used.contentType });
  response.end(body);
}
