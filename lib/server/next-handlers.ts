import { createServer } from "node:http";
import type { Handlers } from "./http-server.ts";

/**
 * Starts Next for the project in `dir` and gives what answers requests.
 *
 * @throws Error where there is no production build
 */
export async function startNext(options: {
  readonly dir: string;
  readonly dev: boolean;
  readonly hostname: string;
  readonly port: number;
}): Promise<Handlers> {
  // React picks its build by this when it is first loaded, hence before `next` is.
  Object.assign(process.env, {
    NODE_ENV: options.dev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
  });
  const { default: next } = await import("next");
  // Next takes WebSockets off a server that it is given, past our gate: it gets one that never listens, and the
  // gate hands on to that one what it lets through.
  const relay = createServer();
  const app = next({ ...options, httpServer: relay });
  await app.prepare();
  return {
    request: app.getRequestHandler(),
    upgrade: options.dev
      ? async (...upgrade) => {
          relay.emit("upgrade", ...upgrade);
        }
      : undefined,
  };
}
