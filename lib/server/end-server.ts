import { once } from "node:events";
import type { Server } from "node:http";

/** Milliseconds between two looks for connections whose last answer is done. */
const LOOK = 20;

/** Takes no more connections, lets the answers that are under way end, and resolves when all connections are closed. */
export async function endServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // Browsers keep connections open for their next request, also those whose stream has just ended.
  const timer = setInterval(() => server.closeIdleConnections(), LOOK);
  await closed.finally(() => clearInterval(timer));
}
