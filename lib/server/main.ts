import { once } from "node:events";
import type { Server } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { demoScenarios } from "../demo/demo.ts";
import { systemClock } from "../sources/kubernetes/clock.ts";
import { type Config, readConfig } from "./config.ts";
import { endServer } from "./end-server.ts";
import { createFleetObserver } from "./fleet-observer.ts";
import { createGatedServer, type Handlers } from "./http-server.ts";
import { setLiveState } from "./live-state.ts";
import { startNext } from "./next-handlers.ts";
import { openBrowser } from "./open-browser.ts";
import { openSources } from "./open-sources.ts";
import { serveState } from "./serve-state.ts";
import { createSseHub } from "./sse.ts";

/** One stream a tab; more than this is no longer a few people who look. */
const MAX_STREAMS = 256;
/** The process ends at the latest this many milliseconds after it was asked to. */
const PATIENCE = 1_500;

async function main(args: readonly string[]): Promise<void> {
  const dev = args.includes("--dev");
  const config = readConfig(process.env, demoScenarios());
  const handlers = Promise.withResolvers<Handlers>();
  const rules = { boundHost: config.host, allowedHosts: config.allowedHosts };
  const server = createGatedServer({ rules, dev, handlers: handlers.promise });
  const port = await listen(server, config);

  const sources = await openSources(config.source, {
    config,
    env: process.env,
    homeDir: homedir(),
    clock: systemClock,
  });
  const observer = createFleetObserver(sources, systemClock);
  const hub = createSseHub({ maxClients: MAX_STREAMS });
  const served = serveState({
    observer,
    hub,
    demo: sources.demo,
    clock: systemClock,
    readLogs: sources.kubernetes.readLogs,
  });
  setLiveState(served.state);
  observer.start();

  endOnSignal(async () => {
    served.stop();
    await endServer(server);
    await observer.stop();
    await sources.close();
  });

  const dir = join(import.meta.dirname, "../..");
  handlers.resolve(await startNext({ dir, dev, hostname: config.host, port }));
  const address = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
  console.log(`Seamline on ${address}`);
  for (const line of sources.reads) console.log(`reads: ${line}`);
  if (args.includes("--open")) openBrowser(address);
}

/** Resolves with the port once `server` listens. */
async function listen(server: Server, { host, port }: Config): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(whyNot(error, host, port), { cause: error });
  }
  const address = server.address();
  return typeof address === "object" && address ? address.port : port;
}

function whyNot(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return `Port ${port} of ${host} is in use already. Stop what listens there, or choose another one: PORT=${port + 1} npm start`;
  }
  return `cannot listen on port ${port} of ${host} (${error instanceof Error ? error.message : String(error)})`;
}

/** Streams first: an open one would keep the server from ending. A second signal changes nothing. */
function endOnSignal(stop: () => Promise<void>): void {
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    await Promise.race([stop(), delay(PATIENCE)]);
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`Seamline cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
