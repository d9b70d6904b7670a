import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A line to a server of this machine that can be made a bad one. TLS goes through it unopened. */
export interface TcpProxy {
  /** The server's address with this line's port. */
  readonly url: string;
  /** Breaks all connections off. */
  cut(): void;
  /** While true, connections are broken off as soon as they are made. */
  refuse(refusing: boolean): void;
  /** While true, nothing passes in either direction, and nobody is told. */
  silence(silent: boolean): void;
  /** Every piece takes this long, in milliseconds. */
  slow(milliseconds: number): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { protocol, hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let refusing = false;
  let lag = 0;
  let loud = Promise.withResolvers<void>();
  loud.resolve();

  const pass = async (from: Socket, to: Socket) => {
    try {
      for await (const piece of from) {
        if (lag > 0) await delay(lag);
        await loud.promise;
        if (!to.write(piece)) await once(to, "drain");
      }
      to.end();
    } catch {
      to.destroy();
    }
  };
  const server = createServer((near) => {
    if (refusing) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      // The pieces of a line end together; what ended it is nobody's concern here.
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the proxy has no port");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${protocol}//${hostname}:${address.port}`,
    cut,
    refuse: (now) => {
      refusing = now;
    },
    silence: (silent) => {
      loud.resolve();
      if (silent) loud = Promise.withResolvers();
    },
    slow: (milliseconds) => {
      lag = milliseconds;
    },
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
