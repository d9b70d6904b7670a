import { diagnose } from "../diagnosis/diagnose.ts";
import { groupVerdicts } from "../diagnosis/group-verdicts.ts";
import { buildFleet } from "../layers/build-fleet.ts";
import type { NodeRecord, PodRecord } from "../model/kubernetes.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { aContainer, aNode, anEvent, aPod, aSnapshot, NOW } from "../testing/builders.ts";

/**
 * How long the verdicts of a large cluster take, and how that grows: for each size twice as many stuck pods as nodes,
 * in workloads of ten, every workload alike to the scheduler only in itself. Prints a Markdown table.
 */
const SIZES = [100, 1_000, 5_000];
const ROUNDS = 5;
const MODELS = ["NVIDIA-A100-SXM4-80GB", "NVIDIA-H100-80GB-HBM3", "NVIDIA-L40S"];

function nodeNumber(index: number): NodeRecord {
  return aNode({
    name: `node-${index}`,
    gpus: 8,
    labels: {
      "nvidia.com/gpu.product": MODELS[index % MODELS.length] ?? "",
      "topology.kubernetes.io/zone": `zone-${index % 5}`,
    },
    unschedulable: index % 50 === 0,
  });
}

/** One that fills its node, so that those who wait find nothing free. */
function holderOn(index: number): PodRecord {
  return aPod({ name: `holder-${index}`, gpus: 8, nodeName: `node-${index}` });
}

function stuckPod(index: number): PodRecord {
  const workload = Math.floor(index / 10);
  const common = {
    name: `stuck-${index}`,
    owner: { kind: "ReplicaSet", name: `workload-${workload}`, uid: `owner-${workload}` },
  };
  if (workload % 10 === 0) {
    return aPod({
      ...common,
      gpus: 0,
      requests: { cpu: 1_000, "nvidia.com/gpu": 1 },
      nodeName: `node-${index % 100}`,
      containers: [
        aContainer({
          ready: false,
          restarts: 12,
          state: { kind: "waiting", reason: "CrashLoopBackOff", message: "back-off 5m0s restarting" },
        }),
      ],
    });
  }
  return aPod({
    ...common,
    gpus: 1 + (workload % 8),
    nodeSelector: { "nvidia.com/gpu.product": MODELS[workload % MODELS.length] ?? "" },
    requests: { cpu: 1_000 + workload, memory: 2 ** 30, "nvidia.com/gpu": 1 + (workload % 8) },
  });
}

function clusterOf(size: number): Snapshot {
  const numbers = Array.from({ length: size }, (_, index) => index);
  const stuck = Array.from({ length: 2 * size }, (_, index) => stuckPod(index));
  return aSnapshot({
    nodes: numbers.map(nodeNumber),
    pods: [...numbers.map(holderOn), ...stuck],
    events: stuck
      .filter(({ nodeName }) => nodeName === undefined)
      .map(({ namespace, name, uid }) =>
        anEvent({
          about: { kind: "Pod", namespace, name, uid },
          message: `0/${size} nodes are available: ${size} Insufficient nvidia.com/gpu.`,
        }),
      ),
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

interface Row {
  readonly size: number;
  readonly ms: number;
  readonly mebibytes: number;
  readonly entries: number;
}

function measure(size: number): Row {
  const fleet = buildFleet(clusterOf(size), NOW);
  const times: number[] = [];
  let entries = 0;
  let kept: unknown;
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const groups = groupVerdicts(diagnose(fleet, NOW));
    times.push(performance.now() - start);
    entries = groups.length;
    kept = groups;
  }
  globalThis.gc?.();
  const mebibytes = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  if (kept === undefined) throw new Error("nothing was measured");
  return { size, ms: median(times), mebibytes, entries };
}

const rows = SIZES.map(measure);
const growth = (index: number): string => {
  const [a, b] = [rows[index - 1], rows[index]];
  if (!a || !b) return "";
  return (Math.log(b.ms / a.ms) / Math.log(b.size / a.size)).toFixed(2);
};
console.log("| nodes | stuck pods | entries | time (median of 5) | heap kept | growth exponent |");
console.log("| ---: | ---: | ---: | ---: | ---: | ---: |");
rows.forEach(({ size, ms, mebibytes, entries }, index) => {
  const heap = globalThis.gc ? `${mebibytes.toFixed(1)} MiB` : "run with --expose-gc";
  console.log(`| ${size} | ${2 * size} | ${entries} | ${ms.toFixed(0)} ms | ${heap} | ${growth(index)} |`);
});
