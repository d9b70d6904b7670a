import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { root, SERVER_ENV, SERVER_FLAGS } from "../../../lib/cli/prepare.mjs";
import type { FleetSize } from "./fleet-objects.ts";
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";

/** A dashboard as its users start it, with the production build. */
export interface Dashboard {
  readonly process: MeasuredProcess;
  readonly url: string;
  /** Resolves once nodes and pods are there. Times are milliseconds since the start of the process. */
  complete(): Promise<{ readonly ready: number; readonly complete: number; readonly counts: FleetSize }>;
}

export interface DashboardOptions {
  readonly kubeconfig: string;
  readonly home: string;
  /** Flags of Node itself. */
  readonly flags?: readonly string[];
}

/** Milliseconds between two questions whether it is ready. */
const POLL = 20;
/** A dashboard that has not read everything after so many milliseconds never does. */
const PATIENCE = 300_000;

const view = z.object({ counts: z.object({ nodes: z.number().nullable(), pods: z.number().nullable() }) });

export async function startDashboard({ kubeconfig, home, flags = [] }: DashboardOptions): Promise<Dashboard> {
  const measured = await startMeasured({
    program: process.execPath,
    args: [...SERVER_FLAGS, ...flags, join(root, "lib/server/main.ts")],
    env: {
      ...SERVER_ENV,
      PATH: process.env.PATH,
      HOME: home,
      NODE_ENV: "production",
      PORT: "0",
      KUBECONFIG: kubeconfig,
    },
    cwd: root,
  });
  const since = () => performance.now() - measured.started;
  const url = await measured.line(/Seamline on (\S+)/).then(
    ([, address]) => address ?? "",
    async (error: unknown) => {
      await measured.stop();
      throw error;
    },
  );
  return {
    process: measured,
    url,
    complete: async () => {
      const wait = async () => {
        if (since() > PATIENCE) throw new Error(`${url} is not complete after ${PATIENCE / 1_000} s`);
        await delay(POLL);
      };
      while (!(await isReady(url))) await wait();
      const ready = since();
      for (;;) {
        const { nodes, pods } = view.parse(await (await fetch(`${url}/api/view`)).json()).counts;
        if (nodes !== null && pods !== null) return { ready, complete: since(), counts: { nodes, pods } };
        await wait();
      }
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/readyz`);
  await answer.arrayBuffer();
  return answer.ok;
}
