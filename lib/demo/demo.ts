import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DemoView } from "../model/live-view.ts";
import { startApiServer } from "../testing/api-server/api-server.ts";
import { Player } from "./player.ts";
import { loadScenario, type ProviderDocuments } from "./scenario.ts";
import { shiftTimes } from "./shift-times.ts";

export interface DemoOptions {
  /** Epoch milliseconds that the demo takes for the present when it starts; the machine's clock if not given. */
  readonly now?: number;
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
}

/** A running demo cluster. */
export interface Demo {
  /** Address of its API server, for the reflector and for `kubectl --server=`. */
  readonly url: string;
  /** Its reservations: a document of the generic record, with times of the demo's clock. */
  readonly reservations: unknown;
  /** What its providers say of reservations, with times of the demo's clock too. */
  readonly providers: readonly ProviderDocuments[];
  /** Path of a configuration file with its prices and owners; undefined: it has none. */
  readonly settingsFile: string | undefined;
  view(): DemoView;
  /** @throws RangeError where there is no such step. */
  goTo(step: number): void;
  setPlaying(playing: boolean): void;
  /** Calls `listener` whenever the view has changed, until the returned function is called. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

const FOLDER = join(import.meta.dirname, "scenarios");

/** Names of the bundled scenarios, the default one first. */
export function demoScenarios(): readonly string[] {
  const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map((entry) => entry.name).sort();
}

/**
 * Serves a bundled scenario as a Kubernetes API on loopback and plays its steps.
 *
 * @throws Error where there is no such scenario, or where one of its files is wrong.
 */
export async function startDemo(name: string, options: DemoOptions = {}): Promise<Demo> {
  const scenarios = demoScenarios();
  if (!scenarios.includes(name)) {
    throw new Error(`expected a demo scenario (${scenarios.join(", ")}), found ${JSON.stringify(name)}`);
  }
  const scenario = await loadScenario(join(FOLDER, name), name);
  const ahead = options.now === undefined ? 0 : options.now - Date.now();
  const now = () => Date.now() + ahead;
  const { settingsFile, logs } = scenario;
  const server = await startApiServer({ port: options.port ?? 0, now, logs });
  const by = now() - scenario.now;
  const player = new Player(scenario, server, now);
  return {
    url: server.url,
    reservations: shiftTimes(scenario.reservations, by),
    providers: shiftTimes(scenario.providers, by),
    settingsFile,
    view: () => ({
      scenario: name,
      title: scenario.title,
      scenarios,
      steps: scenario.steps.map(({ title, text }) => ({ title, text })),
      step: player.step,
      playing: player.playing,
      loops: scenario.loops,
      server: server.url,
    }),
    goTo: (step) => player.goTo(step),
    setPlaying: (playing) => player.setPlaying(playing),
    onChange: (listener) => player.onChange(listener),
    close: async () => {
      player.close();
      await server.close();
    },
  };
}
