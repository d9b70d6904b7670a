import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { type LogTexts, loadLogs } from "../sources/snapshot/load-logs.ts";
import { loadObjects } from "../sources/snapshot/load-objects.ts";
import type { KubernetesObject, ObjectRef } from "../testing/api-server/kubernetes-object.ts";

/** A demo cluster as its files say it, with the times that are written there. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Epoch milliseconds: the moment that all files call now. */
  readonly now: number;
  /** True: the steps are small changes that repeat for ever. False: a walk-through that starts over. */
  readonly loops: boolean;
  /** What is there before the first step. */
  readonly objects: readonly KubernetesObject[];
  /** A document of the generic record. */
  readonly reservations: unknown;
  /** What providers say of their reservations, provider by provider, as their own commands print it. */
  readonly providers: readonly ProviderDocuments[];
  /** Path of a configuration file with its prices and owners; undefined: it has none. */
  readonly settingsFile: string | undefined;
  /** What its containers have printed. */
  readonly logs: LogTexts;
  readonly steps: readonly ScenarioStep[];
}

export interface ProviderDocuments {
  /** `aws`, `gcp` ... */
  readonly name: string;
  readonly documents: readonly unknown[];
}

export interface ScenarioStep {
  readonly title: string;
  readonly text: string;
  /** Milliseconds for which it is shown before the next one comes. */
  readonly duration: number;
  /** Whole objects that are added or replace those of their kind, namespace and name. */
  readonly apply: readonly KubernetesObject[];
  /** Objects that go, before `apply`. */
  readonly remove: readonly ObjectRef[];
}

const nonEmpty = z.string().min(1);

const duration = z
  .string()
  .regex(/^\d+(?:\.\d+)?s$/, "expected seconds such as 12s")
  .transform((text) => Number.parseFloat(text) * 1_000)
  .refine((milliseconds) => milliseconds > 0, "expected more than 0s");

const scenarioFile = z.strictObject({
  title: nonEmpty,
  description: nonEmpty,
  now: z.iso.datetime().transform((text) => Date.parse(text)),
  loops: z.boolean(),
  steps: z
    .array(
      z.strictObject({
        title: nonEmpty,
        text: nonEmpty,
        after: duration,
        remove: z
          .array(z.strictObject({ kind: nonEmpty, namespace: nonEmpty.optional(), name: nonEmpty }))
          .default([]),
        apply: z.array(nonEmpty).default([]),
      }),
    )
    .min(1),
});

/**
 * The scenario in `folder`: `scenario.yaml` (title, description, now, loops, steps), `objects/*.yaml` (plain Kubernetes
 * YAML), `reservations.yaml` (the generic record) and the files that its steps name. What it may have besides:
 * `reservations/PROVIDER/*.json` (what a provider's commands print), `seamline.yaml` (a configuration file) and
 * `logs/NAMESPACE_POD_CONTAINER.log`.
 *
 * @throws Error that names file, place and what was expected.
 */
export async function loadScenario(folder: string, name: string): Promise<Scenario> {
  const file = join(folder, "scenario.yaml");
  const parsed = scenarioFile.safeParse(await parseYaml(file));
  if (!parsed.success) {
    const told = parsed.error.issues
      .slice(0, 3)
      .map((issue) => `${z.core.toDotPath(issue.path)}: ${issue.message}`);
    throw new Error(`${file}: ${told.join("; ")}`);
  }
  const { steps, ...about } = parsed.data;
  const [objects, reservations, providers, logs, files, ...applied] = await Promise.all([
    readObjects(join(folder, "objects")),
    parseYaml(join(folder, "reservations.yaml")),
    readProviders(join(folder, "reservations")),
    readLogs(join(folder, "logs")),
    readdir(folder),
    ...steps.map(async ({ apply }) =>
      (await Promise.all(apply.map((path) => readObjects(join(folder, path))))).flat(),
    ),
  ]);
  return {
    name,
    ...about,
    objects,
    reservations,
    providers,
    settingsFile: files.includes(SETTINGS) ? join(folder, SETTINGS) : undefined,
    logs,
    steps: steps.map(({ title, text, after, remove }, index) => {
      return { title, text, duration: after, remove, apply: applied[index] ?? [] };
    }),
  };
}

const SETTINGS = "seamline.yaml";

async function readProviders(folder: string): Promise<ProviderDocuments[]> {
  return Promise.all(
    (await namesIn(folder)).map(async (name) => {
      const files = await namesIn(join(folder, name));
      return { name, documents: await Promise.all(files.map((file) => parseYaml(join(folder, name, file)))) };
    }),
  );
}

async function readLogs(folder: string): Promise<LogTexts> {
  return loadLogs((await namesIn(folder)).map((name) => join(folder, name)));
}

/** Sorted names in a folder that need not be there. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

async function readObjects(path: string): Promise<KubernetesObject[]> {
  const { objects, problems } = await loadObjects(path);
  const [first] = problems;
  if (first) throw new Error(`${first.file}: ${first.where}: ${first.message}`);
  return objects;
}

async function parseYaml(file: string): Promise<unknown> {
  try {
    return parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
