import { cpus, totalmem } from "node:os";
import type { Churned } from "./churn.ts";
import type { Run } from "./contestants.ts";
import type { FleetSize } from "./fleet-objects.ts";
import { quantile } from "./latencies.ts";
import type { ObjectSizes } from "./seed-fleet.ts";

/** All that is known of one contestant. */
export interface Standing {
  readonly name: string;
  readonly runs: readonly Run[];
  /** Bytes that the API server has sent it, TLS and all. */
  readonly received: number;
  /** Requests in its audit log. */
  readonly lists: number;
  readonly watches: number;
}

export interface Facts {
  readonly size: FleetSize;
  readonly objects: ObjectSizes;
  /** Version of the API server. */
  readonly kubernetes: string;
  /** Load average of the last minute when the rounds began and when they had ended. */
  readonly load: readonly [number, number];
}

/** Markdown: one table of the starts, one of the changes, and what they were measured on. The first one is the measure of the others. */
export function report(
  facts: Facts,
  standings: readonly Standing[],
  churned: Churned,
  asked: { rate: number; seconds: number },
): string {
  const { size } = facts;
  const ours = standings[0];
  if (!ours) throw new Error("nobody has run");
  const starts = standings.map((standing) => startRow(standing, ours));
  const sorted = churned.sorted;
  return [
    `Reading ${size.nodes.toLocaleString("en")} nodes and ${size.pods.toLocaleString("en")} pods (${kilobytes(facts.objects.node)} and ${kilobytes(facts.objects.pod)} of JSON each)`,
    "",
    "| | ready | complete | peak RSS | received | list calls | watch calls | time | RSS |",
    "|---|---|---|---|---|---|---|---|---|",
    ...starts,
    "",
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
    machine(facts),
  ].join("\n");
}

function startRow({ name, runs, received, lists, watches }: Standing, ours: Standing): string {
  const of = (standing: Standing, field: "complete" | "peakRss") =>
    median(standing.runs.map((run) => run[field]));
  const ready = runs.flatMap((run) => run.ready ?? []);
  const ratio = (field: "complete" | "peakRss") =>
    `${(of({ name, runs, received, lists, watches }, field) / of(ours, field)).toFixed(1)}×`;
  return row([
    runs.length > 1 ? name : `${name} (one run)`,
    ready.length > 0 ? seconds(median(ready)) : "",
    seconds(median(runs.map(({ complete }) => complete))),
    megabytes(median(runs.map(({ peakRss }) => peakRss))),
    megabytes(received),
    String(lists),
    String(watches),
    ratio("complete"),
    ratio("peakRss"),
  ]);
}

function machine({ kubernetes, load }: Facts): string {
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
