import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { RELEASED } from "./guard-cluster.ts";
import { removeCluster } from "./kind-cluster.ts";
import { loadState } from "./kind-state.ts";

// A process of its own beside a cluster. Its standard input ends with the process that has made the cluster, however
// that one ends, and then the cluster goes.
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("expected the rig's folder");

/** Nodes that `kind create` was still starting at that moment appear a little later, so it looks again; milliseconds. */
const PAUSES = [0, 5_000, 10_000];

const state = await loadState(folder);
if ((await text(process.stdin)) !== RELEASED) {
  for (const pause of PAUSES) {
    await delay(pause);
    await removeCluster(state);
  }
}
