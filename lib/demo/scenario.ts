import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
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
  readonly steps: readonly ScenarioStep[];
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
 * YAML), `reservations.yaml` (the generic record) and the files that its steps name.
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
  const [objects, reservations, ...applied] = await Promise.all([
    readObjects(join(folder, "objects")),
    parseYaml(join(folder, "reservations.yaml")),
    ...steps.map(async ({ apply }) =>
      (await Promise.all(apply.map((path) => readObjects(join(folder, path))))).flat(),
    ),
  ]);
  return {
    name,
    ...about,
    objects,
    reservations,
    steps: steps.map(({ title, text, after, remove }, index) => {
      return { title, text, duration: after, remove, apply: applied[index] ?? [] };
    }),
  };
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
