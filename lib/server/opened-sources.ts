import { basename } from "node:path";
import type { Demo } from "../demo/demo.ts";
import type { Clock } from "../sources/kubernetes/clock.ts";
import { createFileSource } from "../sources/reservations/file-source.ts";
import type { ReservationSource } from "../sources/reservations/reservation-source.ts";
import type { LogTexts } from "../sources/snapshot/load-logs.ts";
import type { Config } from "./config.ts";
import { liveSources } from "./live-reservations.ts";
import type { Sources } from "./read-snapshot.ts";

/** What was opened to be read from, not started yet. */
export interface OpenedSources extends Sources {
  readonly demo: Demo | undefined;
  /** Logs that lie beside a snapshot, by `NAMESPACE/POD/CONTAINER`; those of a cluster are read when they are asked for. */
  readonly logs: LogTexts;
  /** What is read, one line each, for whoever started the process. */
  readonly reads: readonly string[];
  /** Ends what was started to be read from; the sources themselves are stopped before. */
  close(): Promise<void>;
}

/** What holds for every kind of cluster. */
export interface CommonOptions {
  readonly config: Pick<Config, "reservationFiles" | "acceleratorNames" | "settings">;
  readonly clock: Clock;
}

/** The parts that are alike for every kind of cluster. `files`: reservations that come with it. */
export function commonParts({ config, clock }: CommonOptions, files: readonly string[] = []) {
  const reservationFiles = [...new Set([...files, ...config.reservationFiles])];
  const live = liveSources(config.settings.live, clock);
  return {
    reservations: [...reservationSources(reservationFiles, clock), ...live],
    reads: [
      ...reservationFiles.map((file) => `reservations ${file}`),
      ...live.map((source) => source.read().status.id),
    ],
    acceleratorNames: config.acceleratorNames,
    settings: config.settings,
    issues: [],
    demo: undefined,
    logs: {},
  };
}

/** One source a file, named after it; after its whole path where two have one name. */
function reservationSources(files: readonly string[], { now }: Clock): ReservationSource[] {
  const names = files.map((file) => basename(file));
  return files.map((file) => {
    const name = basename(file);
    const isUnique = names.indexOf(name) === names.lastIndexOf(name);
    return createFileSource({ file, id: `reservations/${isUnique ? name : file}`, now });
  });
}
