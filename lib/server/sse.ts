/** Server-sent events to many browsers. https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface SseHub {
  /** A new stream that begins with the newest of each event; undefined where too many are open, or after `close`. */
  open(): ReadableStream<Uint8Array> | undefined;
  /** Makes `data` (one line of JSON) the newest of `event` and sends it to everyone who keeps up. */
  publish(event: string, data: string): void;
  /** A comment to every stream that has nothing else to read, so that proxies keep it and dead ones are noticed. */
  heartbeat(): void;
  /** Ends all streams, and opens no more. */
  close(): void;
  readonly clients: number;
}

interface Client {
  /** Event -> its newest frame, not yet taken. */
  readonly pending: Map<string, Uint8Array>;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** True while the connection asks for more. */
  hungry: boolean;
}

const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(":\n\n");
/** How long a browser waits before it comes back, in milliseconds. */
const RETRY = 2000;

/**
 * A hub in which no client has a queue: it keeps one frame for each event, the newest, shared among all clients, and a
 * connection takes it when it has room. Whoever reads slowly skips views and costs no memory.
 */
export function createSseHub(options: { readonly maxClients: number }): SseHub {
  const newest = new Map<string, Uint8Array>();
  const clients = new Set<Client>();
  let closed = false;

  return {
    open() {
      if (closed || clients.size >= options.maxClients) return undefined;
      let client: Client | undefined;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            client = { pending: new Map(newest), controller, hungry: false };
            clients.add(client);
          },
          pull() {
            if (!client) return;
            client.hungry = true;
            feed(client);
          },
          cancel() {
            if (client) clients.delete(client);
          },
        },
        // 0: the stream itself holds nothing back, it asks only when the connection does.
        { highWaterMark: 0 },
      );
    },
    publish(event, data) {
      const frame = encoder.encode(`retry: ${RETRY}\nevent: ${event}\ndata: ${data}\n\n`);
      newest.set(event, frame);
      for (const client of clients) {
        client.pending.set(event, frame);
        feed(client);
      }
    },
    heartbeat() {
      for (const client of clients) {
        if (client.hungry) send(client, HEARTBEAT);
      }
    },
    close() {
      closed = true;
      for (const client of clients) client.controller.close();
      clients.clear();
    },
    get clients() {
      return clients.size;
    },
  };
}

/** Gives a client that waits the first frame it has not seen. */
function feed(client: Client): void {
  const next = client.pending.entries().next();
  if (!client.hungry || next.done) return;
  const [event, frame] = next.value;
  client.pending.delete(event);
  send(client, frame);
}

function send(client: Client, frame: Uint8Array): void {
  // First: `enqueue` may ask for more before it returns.
  client.hungry = false;
  client.controller.enqueue(frame);
}
