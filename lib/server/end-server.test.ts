import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { endServer } from "./end-server.ts";
import { createSseHub } from "./sse.ts";

describe("endServer", () => {
  it("ends a server whose client holds a stream and keeps its connection, once the streams are closed", async () => {
    const hub = createSseHub({ maxClients: 1 });
    hub.publish("view", "1");
    const server = createServer(async (_request, response) => {
      for await (const chunk of hub.open() ?? []) response.write(chunk);
      response.end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // Longer than the test may take: only closing the idle connection ends the server in time.
    server.keepAliveTimeout = 60_000;
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { body } = await fetch(`http://127.0.0.1:${port}/`);
    await body?.getReader().read();

    const ended = endServer(server);
    hub.close();
    await ended;
    expect(server.listening).toBe(false);
    expect(hub.clients).toBe(0);
  });
});
