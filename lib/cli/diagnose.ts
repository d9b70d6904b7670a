import { homedir } from "node:os";
import { parseArgs } from "node:util";
import type { Subject } from "../diagnosis/find-subject.ts";
import { buildFleet } from "../layers/build-fleet.ts";
import { readConfig } from "../server/config.ts";
import { openSources } from "../server/open-sources.ts";
import { systemClock } from "../sources/kubernetes/clock.ts";
import { lookUpLog } from "../sources/snapshot/load-logs.ts";
import { type Case, casesAt } from "./case-folders.ts";
import { type DiagnosisRecord, diagnosisRecords } from "./diagnosis-records.ts";
import { openSnapshotAt } from "./open-snapshot-at.ts";
import { logsOfStuckPods } from "./pod-log-reader.ts";
import { readMoment } from "./read-moment.ts";
import { readOnce, Unreadable, unreadableOf } from "./read-once.ts";
import { recordInWords } from "./record-in-words.ts";

const USAGE = `usage: npm run -s diagnose -- [PATH...] [--pod NAMESPACE/NAME] [--now TIME] [--logs] [--json | --text]

Tells of everything that is stuck which layer is at fault, on what evidence and whose move it is: one JSON object a line,
or text at a terminal. PATH: a file or folder of Kubernetes YAML or JSON as kubectl prints it, with reservations.json
beside it and logs/NAMESPACE_POD_CONTAINER.log in it; with a case.yaml in the folder its subject comes first. Without a
PATH the cluster of the kubeconfig is looked at. --pod: this pod only, its logs included. --logs: read the logs of all
stuck pods of the cluster. TIME: the moment at which a snapshot is looked at, such as 2026-12-01T12:00:00Z.
SEAMLINE_CONFIG, SEAMLINE_RESERVATIONS and SEAMLINE_GPU_RESOURCES count as for npm start.`;

interface Arguments {
  readonly paths: readonly string[];
  readonly now: number | undefined;
  readonly pod: Subject | undefined;
  readonly logs: boolean;
  readonly json: boolean;
}

function readArguments(args: string[]): Arguments {
  const { values, positionals } = parseArgs({
    args,
    options: {
      now: { type: "string" },
      pod: { type: "string" },
      logs: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      text: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) throw new Unreadable([USAGE]);
  const json = values.json || (!values.text && !process.stdout.isTTY);
  return {
    paths: positionals,
    now: values.now === undefined ? undefined : readMoment(values.now),
    pod: values.pod === undefined ? undefined : readPod(values.pod),
    logs: values.logs,
    json,
  };
}

function readPod(text: string): Subject {
  const [namespace, name, ...rest] = text.split("/");
  if (!namespace || !name || rest.length > 0) {
    throw new Unreadable([`--pod: expected NAMESPACE/NAME, got ${JSON.stringify(text)}`]);
  }
  return { kind: "Pod", namespace, name };
}

/** A record, and the moment at which the cluster was looked at. */
interface Told {
  readonly record: DiagnosisRecord;
  readonly now: number;
}

async function* diagnoseSnapshots({ paths, now, pod }: Arguments): AsyncGenerator<Told> {
  for (const path of paths) {
    for (const one of await orComplain(casesAt(path), [])) {
      const moment = now ?? one.now ?? Date.now();
      const records = await orComplain(diagnoseCase(one, moment, pod), []);
      yield* records.map((record) => ({ record, now: moment }));
    }
  }
}

/** What can be read of a case is looked at, and what cannot is told. */
async function diagnoseCase(
  { name, path, subject }: Case,
  now: number,
  pod: Subject | undefined,
): Promise<readonly DiagnosisRecord[]> {
  const sources = await openSnapshotAt(path, now, process.env);
  return await readOnce(sources, { now, partly: true }, (snapshot) => {
    for (const problem of unreadableOf(sources)) complain(problem);
    return diagnosisRecords(buildFleet(snapshot, now), {
      name,
      owners: snapshot.owners,
      now,
      logs: lookUpLog(sources.logs),
      subject: pod ?? subject,
      only: pod !== undefined,
    });
  });
}

/** One case that cannot be read takes nothing away from the others. */
async function orComplain<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return otherwise;
  }
}

function complain(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}

async function diagnoseCluster({ pod, logs }: Arguments): Promise<readonly Told[]> {
  const { SEAMLINE_CONFIG, SEAMLINE_RESERVATIONS, SEAMLINE_GPU_RESOURCES } = process.env;
  const config = readConfig({ SEAMLINE_CONFIG, SEAMLINE_RESERVATIONS, SEAMLINE_GPU_RESOURCES }, []);
  const options = { config, env: process.env, homeDir: homedir(), clock: systemClock };
  const sources = await openSources({ kind: "cluster" }, options);
  if (sources.demo) {
    await sources.close();
    throw new Unreadable([
      "No cluster is configured: set KUBECONFIG, or name a snapshot's PATH. See --help.",
    ]);
  }
  const now = Date.now();
  return await readOnce(sources, { now, partly: true }, async (snapshot) => {
    const fleet = buildFleet(snapshot, now);
    const read =
      pod || logs
        ? await logsOfStuckPods(fleet, { now, pod, readLogs: sources.kubernetes.readLogs })
        : undefined;
    for (const problem of read?.problems ?? []) console.error(problem);
    const records = diagnosisRecords(fleet, {
      name: sources.cluster.name,
      owners: snapshot.owners,
      now,
      logs: read?.lookup ?? (() => undefined),
      subject: pod,
      only: pod !== undefined,
    });
    return records.map((record) => ({ record, now }));
  });
}

async function main(): Promise<void> {
  const asked = readArguments(process.argv.slice(2));
  const told = asked.paths.length > 0 ? diagnoseSnapshots(asked) : await diagnoseCluster(asked);
  for await (const { record, now } of told) {
    process.stdout.write(asked.json ? `${JSON.stringify(record)}\n` : `${recordInWords(record, now)}\n\n`);
  }
}

try {
  await main();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
}
