import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Decision, decide, type GateRules } from "./gate.ts";
import { contentSecurityPolicy, SECURITY_HEADERS } from "./security-headers.ts";

/** Whoever answers what the gate lets through. */
export interface Handlers {
  request(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Takes over a WebSocket; undefined: there are none. */
  readonly upgrade: ((request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>) | undefined;
}

/**
 * The one server in front of everything: each request passes the gate first, each answer carries the security headers.
 * Requests wait until `handlers` are there.
 */
export function createGatedServer(options: {
  readonly rules: GateRules;
  /** True for the development server, whose page needs more from its policy. */
  readonly dev: boolean;
  readonly handlers: Promise<Handlers>;
}): Server {
  const { rules, dev, handlers } = options;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const policy = contentSecurityPolicy(randomBytes(16).toString("base64"), { dev });
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    response.setHeader("content-security-policy", policy);
    const decision = decideOn(request, rules);
    if (!decision.allow) return refuse(response, decision);
    // Replaces what the request may have said: Next takes the nonce for its scripts from here.
    request.headers["content-security-policy"] = policy;
    await (await handlers).request(request, response);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error(`${request.method} ${request.url}:`, error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    if (!decideOn(request, rules).allow)
      return socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n");
    handlers
      .then(({ upgrade }) => {
        if (upgrade) return upgrade(request, socket, head);
        socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      })
      .catch(() => socket.destroy());
  });
  return server;
}

function decideOn(request: IncomingMessage, rules: GateRules): Decision {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  const single = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return decide(
    {
      method: request.method ?? "",
      target: request.url ?? "",
      headers: Object.fromEntries(single),
      hostHeaders: names.filter((name) => name.toLowerCase() === "host").length,
    },
    rules,
  );
}

function refuse(response: ServerResponse, { status, why }: Extract<Decision, { allow: false }>): void {
  // A body that nobody reads must not be taken for the next request.
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    connection: "close",
    ...(status === 405 ? { allow: "GET, HEAD" } : {}),
  });
  response.end(JSON.stringify({ error: why }));
}
