import http, { type IncomingMessage } from "node:http";
import https, { type RequestOptions } from "node:https";
import { finished } from "node:stream";
import { networkError } from "./network-error.ts";
import { decodeStatus } from "./wire.ts";

/** An answer whose body is read as it comes. */
export interface StreamResponse {
  readonly status: number;
  /** Media type with its parameters, in lower case. */
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  /** Throws a SourceError where the connection breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Instead of `body`, for answers of a gigabyte: gives each chunk to `take` as it comes, and resolves once the answer
   * ends or its connection breaks. Throws what `take` throws, and the signal's reason.
   */
  readonly follow: (take: (chunk: Uint8Array) => void) => Promise<void>;
}

/** Idle milliseconds until the system probes a silent connection, so that a dead peer is noticed in some 20 s. */
const KEEP_ALIVE_MS = 10_000;

/** Most bytes of an answer's body that are read to learn why a request failed. */
const ERROR_BODY_LIMIT = 65_536;

/** Connections of one server; TLS settings are per request, so that renewed client certificates are used. */
export interface Agents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

export function createAgents(): Agents {
  const options = { keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS };
  return { http: new http.Agent(options), https: new https.Agent(options) };
}

/** Sends a GET and resolves as soon as the answer's head is there. Throws SourceError `unreachable`, or the signal's reason. */
export async function openStream(
  server: string,
  path: string,
  options: RequestOptions,
  agents: Agents,
  signal: AbortSignal,
): Promise<StreamResponse> {
  const secure = server.startsWith("https:");
  const agent = options.agent ?? (secure ? agents.https : agents.http);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = (secure ? https : http).request(
      `${server}${path}`,
      { ...options, agent, signal },
      resolve,
    );
    request.on("socket", (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
    request.on("error", reject);
    request.end();
  }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : networkError(server, error);
  });
  const { statusCode = 0, headers } = response;
  return {
    status: statusCode,
    contentType: (headers["content-type"] ?? "").toLowerCase(),
    retryAfter: headers["retry-after"],
    body: readBody(server, response, signal),
    follow: (take) => followBody(response, signal, take),
  };
}

/** The Status object of a failed answer; undefined where there is none. */
export async function readStatus({ contentType, body }: StreamResponse): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > ERROR_BODY_LIMIT) return undefined;
  }
  return decodeStatus(Buffer.concat(chunks), contentType);
}

async function* readBody(
  server: string,
  response: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* response;
  } catch (error) {
    throw signal.aborted ? signal.reason : networkError(server, error);
  } finally {
    response.destroy();
  }
}

function followBody(
  response: IncomingMessage,
  signal: AbortSignal,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    try {
      take(chunk);
    } catch (error) {
      // More of what came with it would follow.
      response.off("data", onData).destroy();
      reject(error);
    }
  };
  response.on("data", onData);
  finished(response, () => {
    if (signal.aborted) reject(signal.reason);
    else resolve();
  });
  return promise;
}
