import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A line to a server of this machine that counts what comes back. TLS goes through it unopened. */
export interface CountingProxy {
  /** The server's address with this line's port. */
  readonly url: string;
  /** Bytes that the server has sent so far. */
  received(): number;
  close(): Promise<void>;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { protocol, hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let received = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    far.on("data", (piece) => {
      received += piece.length;
    });
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
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the proxy has no port");
  return {
    url: `${protocol}//${hostname}:${address.port}`,
    received: () => received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
