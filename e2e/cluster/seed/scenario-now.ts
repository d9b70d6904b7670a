import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { loadScenario, type Scenario } from "../../../lib/demo/scenario.ts";
import { shiftTimes } from "../../../lib/demo/shift-times.ts";

const scenarios = join(import.meta.dirname, "../../../lib/demo/scenarios");

/** What there is before a demo scenario's first step, and what is paid for it. */
export type ScenarioNow = Pick<Scenario, "objects" | "reservations" | "providers" | "settingsFile">;

/** A bundled scenario, its times moved to now. */
export async function scenarioNow(name: string): Promise<ScenarioNow> {
  const { now, objects, reservations, providers, settingsFile } = await loadScenario(
    join(scenarios, name),
    name,
  );
  return { ...shiftTimes({ objects, reservations, providers }, Date.now() - now), settingsFile };
}

/**
 * Writes the scenario's reservations, those of the providers included, to files in `folder`.
 *
 * @returns the environment in which the dashboard reads them, and the scenario's prices and owners
 */
export async function writeConfiguration(
  folder: string,
  { reservations, providers, settingsFile }: Omit<ScenarioNow, "objects">,
): Promise<Readonly<Record<string, string>>> {
  const documents = providers.flatMap(({ name, documents: told }) =>
    told.map((document, index) => ({ name: `${name}-${index + 1}`, document })),
  );
  const all = [{ name: "reservations", document: reservations }, ...documents];
  const files = await Promise.all(
    all.map(async ({ name, document }) => {
      const file = join(folder, `${name}.yaml`);
      await writeFile(file, stringify(document));
      return file;
    }),
  );
  return {
    SEAMLINE_RESERVATIONS: files.join(","),
    ...(settingsFile === undefined ? {} : { SEAMLINE_CONFIG: settingsFile }),
  };
}
