import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGatedServer, type Handlers } from "./http-server.ts";

let server: ReturnType<typeof createGatedServer>;
let port: number;
let answered: string[];
let policySeen: string | undefined;

const handlers: Handlers = {
  async request(request, response) {
    answered.push(`${request.method} ${request.url}`);
    policySeen = request.headers["content-security-policy"]?.toString();
    if (request.url === "/broken") throw new Error("expected in this test's output");
    response.end("page");
  },
  upgrade: undefined,
};

/** Sends `lines` as they are and gives everything that comes back until the other side ends. */
async function raw(...lines: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  await once(socket, "close");
  return text;
}

const get = (path: string, ...headers: string[]) =>
  raw(`GET ${path} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers);

beforeEach(async () => {
  answered = [];
  policySeen = undefined;
  server = createGatedServer({
    rules: { boundHost: "127.0.0.1", allowedHosts: [] },
    dev: false,
    handlers: Promise.resolve(handlers),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

describe("createGatedServer", () => {
  it("answers with the security headers, and a nonce that is never used twice", async () => {
    const first = await get("/", "Content-Security-Policy: script-src 'nonce-chosen-by-the-sender'");
    expect(first).toMatch(/^HTTP\/1.1 200 /);
    for (const header of [
      /x-content-type-options: nosniff/i,
      /referrer-policy: no-referrer/i,
      /cross-origin-opener-policy: same-origin/i,
      /cross-origin-resource-policy: same-origin/i,
    ]) {
      expect(first).toMatch(header);
    }
    expect(first).not.toMatch(/access-control/i);
    const policy = /content-security-policy: (.*)\r/i.exec(first)?.[1];
    expect(policy).toBe(policySeen);
    const script = /script-src ([^;]*)/.exec(policy ?? "")?.[1];
    expect(script).toMatch(/^'self' 'nonce-[A-Za-z0-9+/=]{24}'$/);
    expect(await get("/")).not.toContain(script);
  });

  it.each<[string, string[], number]>([
    ["a stranger's name", ["GET / HTTP/1.1", "Host: evil.example", "Connection: close"], 421],
    ["two hosts", ["GET / HTTP/1.1", "Host: 127.0.0.1", "Host: evil.example", "Connection: close"], 400],
    ["a POST", ["POST / HTTP/1.1", "Host: 127.0.0.1", "Content-Length: 0"], 405],
    ["a target elsewhere", ["GET http://127.0.0.1/ HTTP/1.1", "Host: 127.0.0.1", "Connection: close"], 400],
    [
      "a page elsewhere",
      ["GET / HTTP/1.1", "Host: 127.0.0.1", "Origin: http://evil.example", "Connection: close"],
      403,
    ],
  ])("refuses %s before anyone sees it", async (_name, lines, status) => {
    const text = await raw(...lines);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toMatch(/content-security-policy: /i);
    expect(answered).toEqual([]);
  });

  it("does not take the body of a refused request for the next request", async () => {
    const inner = "GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    await raw("POST / HTTP/1.1", "Host: 127.0.0.1", `Content-Length: ${inner.length}`, "", inner);
    expect(answered).toEqual([]);
  });

  it("opens no WebSocket", async () => {
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket"];
    expect(await raw("GET / HTTP/1.1", "Host: 127.0.0.1", ...upgrade)).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw("GET / HTTP/1.1", "Host: evil.example", ...upgrade)).toMatch(/^HTTP\/1.1 403 /);
    expect(answered).toEqual([]);
  });

  it("answers 500 and lives on where an answer fails", async () => {
    expect(await get("/broken")).toMatch(/^HTTP\/1.1 500 /);
    expect(await get("/")).toMatch(/^HTTP\/1.1 200 /);
  });
});
