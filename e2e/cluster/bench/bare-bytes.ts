/** Takes nodes and pods as protobuf and only counts them: what nobody who reads them in Node.js can do without. */
import { systemClock } from "../../../lib/sources/kubernetes/clock.ts";
import { type Connection, connectionFromKubeConfig } from "../../../lib/sources/kubernetes/connection.ts";
import { FrameSplitter } from "../../../lib/sources/kubernetes/frame-splitter.ts";
import { decodeWatchEvent } from "../../../lib/sources/kubernetes/protobuf.ts";
import { createSilenceLimit } from "../../../lib/sources/kubernetes/silence.ts";
import { watchQuery } from "../../../lib/sources/kubernetes/watch-query.ts";
import { ACCEPT } from "../../../lib/sources/kubernetes/wire.ts";

const connection = connectionFromKubeConfig({ env: process.env, homeDir: process.env.HOME ?? "" });
if (!connection) throw new Error("there is no cluster in the kubeconfig");

/** A bookmark, which ends the list, is smaller than any object. */
const SMALL = 1_000;

async function count(connection: Connection, plural: string): Promise<number> {
  const limit = createSilenceLimit(systemClock, connection.server);
  const path = `/api/v1/${plural}?${watchQuery(undefined, Math.random, undefined)}`;
  const response = await connection.open(path, { accept: ACCEPT, signal: limit.signal });
  const splitter = new FrameSplitter();
  let seen = 0;
  return await new Promise((resolve, reject) => {
    const follow = response.follow((chunk) => {
      for (const frame of splitter.push(chunk)) {
        if (frame.length > SMALL || decodeWatchEvent(frame).type !== "BOOKMARK") seen += 1;
        else resolve(seen);
      }
    });
    follow.then(() => reject(new Error(`the list of ${plural} broke off`)), reject);
  });
}

const [nodes, pods] = await Promise.all(["nodes", "pods"].map((plural) => count(connection, plural)));
console.log(JSON.stringify({ nodes, pods }));
process.exit(0);
