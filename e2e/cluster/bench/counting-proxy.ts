import { startTcpRelay, type TcpRelay } from "../tcp-relay.ts";

/** A line to a server of this machine that counts what comes back. */
export interface CountingProxy extends Pick<TcpRelay, "url" | "close"> {
  /** Bytes that the server has sent so far. */
  received(): number;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let received = 0;
  const { url, close } = await startTcpRelay(target, (near, far) => {
    far.on("data", (piece) => {
      received += piece.length;
    });
    near.pipe(far);
    far.pipe(near);
  });
  return { url, close, received: () => received };
}
