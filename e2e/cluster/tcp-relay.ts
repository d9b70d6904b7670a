import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A line to a server of this machine. TLS goes through it unopened. */
export interface TcpRelay {
  /** The server's address with this line's port. */
  readonly url: string;
  /** Breaks all connections off. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * Listens on a free port and opens a connection to `target` for each that comes.
 *
 * @param forward carries what comes both ways between the one who asked and the server
 * @param accepts whether a connection is taken at this moment; else it is broken off as soon as it is made
 */
export async function startTcpRelay(
  target: string,
  forward: (near: Socket, far: Socket) => void,
  accepts: () => boolean = () => true,
): Promise<TcpRelay> {
  const { protocol, hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (!accepts()) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      // Both ends of a line end together; what ended it is nobody's concern here.
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    forward(near, far);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the relay has no port");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${protocol}//${hostname}:${address.port}`,
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
