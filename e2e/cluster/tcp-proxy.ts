import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { startTcpRelay, type TcpRelay } from "./tcp-relay.ts";

/** A line to a server of this machine that can be made a bad one. */
export interface TcpProxy extends TcpRelay {
  /** While true, connections are broken off as soon as they are made. */
  refuse(refusing: boolean): void;
  /** While true, nothing passes in either direction, and nobody is told. */
  silence(silent: boolean): void;
  /** Every piece takes this long, in milliseconds. */
  slow(milliseconds: number): void;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
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
  const forward = (near: Socket, far: Socket) => {
    pass(near, far);
    pass(far, near);
  };
  return {
    ...(await startTcpRelay(target, forward, () => !refusing)),
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
  };
}
