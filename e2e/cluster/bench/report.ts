import { cpus, totalmem } from "node:os";
import type { Tab } from "./browser-tab.ts";
import type { Churned } from "./churn.ts";
import type { Run } from "./contestants.ts";
import type { FleetSize } from "./fleet-objects.ts";
import { quantile } from "./latencies.ts";
import type { Standing } from "./race.ts";
import type { ObjectSizes } from "./seed-fleet.ts";

/** Everybody who can, reading the same cluster. */
export interface Race {
  readonly size: FleetSize;
  readonly objects: ObjectSizes;
  /** The first one is the measure of the others. */
  readonly standings: readonly Standing[];
}

export interface Measured {
  /** From the smallest cluster to the largest. */
  readonly races: readonly Race[];
  /** What the changes of the last cluster cost. */
  readonly churned: Churned;
  readonly asked: { readonly rate: number; readonly seconds: number };
  readonly tabs: readonly Tab[];
  /** Version of the API server. */
  readonly kubernetes: string;
  /** Load average of the last minute when the rounds began and when they had ended. */
  readonly load: readonly [number, number];
}

/** Markdown: a table of the starts for each size, one of the changes, one of the tabs, and what they were measured on. */
export function report(measured: Measured): string {
  const { races, churned, asked, tabs } = measured;
  return [
    ...races.flatMap(raceLines),
    ...growthLines(races),
    ...churnLines(churned, asked),
    "What a tab takes meanwhile",
    "",
    "| page | memory | of that, JavaScript |",
    "|---|---|---|",
    ...tabs.map(({ path, memory, heap }) => row([path, megabytes(memory), megabytes(heap)])),
    "",
    machine(measured),
  ].join("\n");
}

function raceLines({ size, objects, standings }: Race): readonly string[] {
  const [ours] = standings;
  if (!ours) throw new Error("nobody has run");
  return [
    `Reading ${size.nodes.toLocaleString("en")} nodes and ${size.pods.toLocaleString("en")} pods (${kilobytes(objects.node)} and ${kilobytes(objects.pod)} of JSON each)`,
    "",
    "| | ready | complete | peak RSS | received | list calls | watch calls | time | RSS |",
    "|---|---|---|---|---|---|---|---|---|",
    ...standings.map((standing) => startRow(standing, ours)),
    "",
  ];
}

/** By which power of the number of pods the time grows: 1 is in step with them. */
function growthLines(races: readonly Race[]): readonly string[] {
  const [first, last] = [races[0], races.at(-1)];
  if (!first || !last || first === last) return [];
  const times = Math.log(last.size.pods / first.size.pods);
  const lines = last.standings.flatMap(({ name, runs }) => {
    const before = first.standings.find((standing) => standing.name === name);
    if (!before) return [];
    const exponent = Math.log(medianOf(runs, "complete") / medianOf(before.runs, "complete")) / times;
    return [`${name}: the time grows by the power ${exponent.toFixed(2)} of the pods`];
  });
  return [...lines, ""];
}

function churnLines(churned: Churned, asked: Measured["asked"]): readonly string[] {
  const { sorted } = churned;
  return [
    `${asked.rate} pod status changes a second for ${asked.seconds} s, from the API's answer to the stream's view`,
    "",
    "| changes | a second | p50 | p99 | max | lost | share of a core | peak RSS | views | a view |",
    "|---|---|---|---|---|---|---|---|---|---|",
    row([
      String(churned.changes),
      churned.achieved.toFixed(0),
      `${quantile(sorted, 0.5).toFixed(0)} ms`,
      `${quantile(sorted, 0.99).toFixed(0)} ms`,
      `${(sorted.at(-1) ?? Number.NaN).toFixed(0)} ms`,
      String(churned.lost),
      `${(churned.cpuShare * 100).toFixed(0)} %`,
      megabytes(churned.peakRss),
      String(churned.views),
      kilobytes(churned.viewBytes / churned.views),
    ]),
    "",
  ];
}

function startRow({ name, runs, received, lists, watches }: Standing, ours: Standing): string {
  const ready = runs.flatMap((run) => run.ready ?? []);
  const ratio = (field: Figure) => `${(medianOf(runs, field) / medianOf(ours.runs, field)).toFixed(1)}×`;
  return row([
    runs.length > 1 ? name : `${name} (one run)`,
    ready.length > 0 ? seconds(median(ready)) : "",
    seconds(medianOf(runs, "complete")),
    megabytes(medianOf(runs, "peakRss")),
    megabytes(received),
    String(lists),
    String(watches),
    ratio("complete"),
    ratio("peakRss"),
  ]);
}

type Figure = "complete" | "peakRss";

function medianOf(runs: readonly Run[], figure: Figure): number {
  return median(runs.map((run) => run[figure]));
}

function machine({ kubernetes, load }: Measured): string {
  const cores = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const memory = `${(totalmem() / 1024 ** 3).toFixed(0)} GiB`;
  return `${date}, ${cores.length} cores (${cores[0]?.model.trim() ?? "unknown"}), ${memory}, Node ${process.version}, Kubernetes ${kubernetes}: etcd, the API server, the reader and this benchmark share them. Load ${load.map((each) => each.toFixed(1)).join(" to ")}.`;
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(1)} KB`;

function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}
