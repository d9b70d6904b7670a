import { createInterface } from "node:readline";
import { stopCluster } from "./stop.ts";

// A process of its own beside a cluster. It is told on its standard input which process ids belong to the cluster
// (`+1234`, and `-1234` for one that has ended) and takes the cluster down when that input ends: its other end closes
// with the process that has started the cluster, however that one ends. `release`: the cluster is to stay.
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("expected the cluster's folder");

const pids = new Set<number>();
let released = false;
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line === "release") released = true;
  else if (line.startsWith("+")) pids.add(pid);
  else pids.delete(pid);
}
if (!released) await stopCluster([...pids], folder);
