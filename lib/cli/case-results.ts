import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { buildFleet } from "../layers/build-fleet.ts";
import { LAYERS, type Layer } from "../model/stages.ts";
import { lookUpLog } from "../sources/snapshot/load-logs.ts";
import { type Case, casesAt } from "./case-folders.ts";
import { diagnosisRecords } from "./diagnosis-records.ts";
import { openSnapshotAt } from "./open-snapshot-at.ts";
import { readOnce } from "./read-once.ts";

/** What a person found to be right. */
const expectation = z.object({
  layer: z.enum(LAYERS),
  reason: z.string(),
  alsoAccept: z.array(z.string()).default([]),
  alsoAcceptLayers: z.array(z.enum(LAYERS)).default([]),
});

/** What is right of a case, and what the engine says. */
export interface CaseResult {
  readonly name: string;
  readonly expected: z.infer<typeof expectation>;
  /** null: it sees nothing stuck. */
  readonly layer: Layer | null;
  readonly reason: string | null;
  readonly certainty: string | null;
}

/** Puts all cases at `path` to the engine, each with its logs, as `npm run diagnose` does. */
export async function caseResults(path: string): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of await casesAt(path)) results.push(await resultOf(one));
  return results;
}

async function resultOf({ name, path, now = Number.NaN, subject }: Case): Promise<CaseResult> {
  const file: unknown = parse(await readFile(join(path, "case.yaml"), "utf8"));
  const { expect: expected } = z.object({ expect: expectation }).parse(file);
  const sources = await openSnapshotAt(path, now, {});
  const [first] = await readOnce(sources, { now }, (snapshot) =>
    diagnosisRecords(buildFleet(snapshot, now), {
      name,
      owners: snapshot.owners,
      now,
      logs: lookUpLog(sources.logs),
      subject,
    }),
  );
  const { layer = null, reason = null } = first ?? {};
  return { name, expected, layer, reason, certainty: first && "certainty" in first ? first.certainty : null };
}

/** Whether the layer is right; a second one only where the report itself leaves both defensible. */
export function isLayerRight({ expected, layer }: CaseResult): boolean {
  return layer !== null && [expected.layer, ...expected.alsoAcceptLayers].includes(layer);
}

/** Whether the reason is right, or another one of the right layer that is right too. */
export function isReasonRight({ expected, reason }: CaseResult): boolean {
  return reason !== null && [expected.reason, ...expected.alsoAccept].includes(reason);
}
