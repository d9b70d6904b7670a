import { describe, expect, it } from "vitest";
import { createSseHub } from "./sse.ts";

const decoder = new TextDecoder();

function readerOf(stream: ReadableStream<Uint8Array> | undefined) {
  if (!stream) throw new Error("expected a stream");
  const reader = stream.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? "(end)" : decoder.decode(value);
    },
    cancel: () => reader.cancel(),
  };
}

const frame = (event: string, data: string) => `retry: 2000\nevent: ${event}\ndata: ${data}\n\n`;

describe("createSseHub", () => {
  it("begins with the newest of each event, then follows", async () => {
    const hub = createSseHub({ maxClients: 8 });
    hub.publish("view", "1");
    hub.publish("view", "2");
    hub.publish("demo", "null");
    const client = readerOf(hub.open());
    expect(await client.next()).toBe(frame("view", "2"));
    expect(await client.next()).toBe(frame("demo", "null"));
    const waiting = client.next();
    hub.publish("view", "3");
    expect(await waiting).toBe(frame("view", "3"));
  });

  it("skips what a slow client had no time for, and holds up nobody else", async () => {
    const hub = createSseHub({ maxClients: 8 });
    const slow = readerOf(hub.open());
    const fast = readerOf(hub.open());
    for (let n = 1; n <= 1000; n++) {
      const next = fast.next();
      hub.publish("view", String(n));
      expect(await next).toBe(frame("view", String(n)));
    }
    hub.publish("trend", "t");
    expect(await slow.next()).toBe(frame("view", "1000"));
    expect(await slow.next()).toBe(frame("trend", "t"));
    const waiting = slow.next();
    hub.publish("view", "1001");
    expect(await waiting).toBe(frame("view", "1001"));
  });

  it("sends a heartbeat only to who has nothing else to read", async () => {
    const hub = createSseHub({ maxClients: 8 });
    const idle = readerOf(hub.open());
    const busy = readerOf(hub.open());
    const waiting = idle.next();
    hub.publish("trend", "t");
    await waiting;
    const beat = idle.next();
    hub.heartbeat();
    hub.heartbeat();
    expect(await beat).toBe(":\n\n");
    expect(await busy.next()).toBe(frame("trend", "t"));
  });

  it("opens no more than it may, and counts who leaves", async () => {
    const hub = createSseHub({ maxClients: 2 });
    const first = readerOf(hub.open());
    hub.open();
    expect(hub.open()).toBeUndefined();
    await first.cancel();
    expect(hub.clients).toBe(1);
    expect(hub.open()).toBeDefined();
    hub.publish("view", "1");
  });

  it("ends every stream and opens none after close", async () => {
    const hub = createSseHub({ maxClients: 8 });
    const client = readerOf(hub.open());
    const waiting = client.next();
    hub.close();
    expect(await waiting).toBe("(end)");
    expect(hub.open()).toBeUndefined();
    expect(hub.clients).toBe(0);
    hub.publish("view", "1");
  });
});
