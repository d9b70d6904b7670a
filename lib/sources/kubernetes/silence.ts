import { SourceError } from "../source-error.ts";
import type { Clock } from "./clock.ts";

/** Longest wait for the head of an answer, in milliseconds. */
const HEAD_LIMIT_MS = 30_000;
/** Longest silence within an answer: API servers send a bookmark about once a minute. */
const BODY_LIMIT_MS = 70_000;

/** Gives a request up once nothing has come for too long: a half-open connection never says that it is dead. */
export interface SilenceLimit {
  /** Aborts the request, with a SourceError `unreachable` as its reason. */
  readonly signal: AbortSignal;
  /** Something came. */
  heard(): void;
  /** The request is over, for `reason` where it is not over by itself. */
  end(reason?: unknown): void;
}

export function createSilenceLimit(clock: Clock, server: string): SilenceLimit {
  const controller = new AbortController();
  const start = (ms: number) =>
    clock.schedule(() => {
      const message = `The API server ${server} has sent nothing for ${ms / 1_000} s`;
      controller.abort(
        new SourceError("unreachable", message, { hint: "Check network, VPN and load balancer." }),
      );
    }, ms);
  let cancel = start(HEAD_LIMIT_MS);
  return {
    signal: controller.signal,
    heard: () => {
      cancel();
      cancel = start(BODY_LIMIT_MS);
    },
    end: (reason) => {
      cancel();
      controller.abort(reason);
    },
  };
}
