import type { Snapshot } from "../model/snapshot.ts";
import type { OpenedSources } from "../server/opened-sources.ts";
import { readSnapshot } from "../server/read-snapshot.ts";

/** What cannot be read, one line each. */
export class Unreadable extends Error {
  constructor(lines: readonly string[]) {
    const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
    super([...lines.slice(0, MOST_LINES), ...more].join("\n"));
  }
}

const MOST_LINES = 20;
/** Milliseconds in which everything has to be read once. */
const PATIENCE = 60_000;

/**
 * Starts `sources`, hands on what they know once all of it was read, and closes them. `partly`: what a cluster refuses
 * to show stays unknown, instead of being an error.
 *
 * @throws Unreadable where any part of them cannot be read
 */
export async function readOnce<T>(
  sources: OpenedSources,
  { now, partly = false }: { now: number; partly?: boolean },
  use: (snapshot: Snapshot) => T | Promise<T>,
): Promise<T> {
  try {
    await (partly ? untilAnswered(sources) : untilRead(sources));
    return await use(readSnapshot(sources, now));
  } finally {
    for (const source of sources.reservations) source.stop();
    await sources.kubernetes.stop();
    await sources.close();
  }
}

async function untilRead(sources: OpenedSources): Promise<void> {
  const { reservations, kubernetes } = sources;
  await Promise.all(reservations.map((source) => source.start()));
  const wrong = unreadableOf(sources);
  if (wrong.length > 0) throw new Unreadable(wrong);
  const missing = () =>
    kubernetes.read().sources.filter(({ state }) => state !== "live" && state !== "absent");
  if (!(await until(kubernetes, () => missing().length === 0))) {
    throw new Unreadable(missing().map(({ id, state }) => `${id} is ${state}`));
  }
}

/** What of a snapshot and its reservations cannot be read, one line each; complete once the reservations were tried. */
export function unreadableOf({ issues, reservations }: OpenedSources): readonly string[] {
  const documents = issues.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return [...documents, ...reservations.flatMap((source) => source.read().status.error?.message ?? [])];
}

async function untilAnswered({ reservations, kubernetes }: OpenedSources): Promise<void> {
  await Promise.all(reservations.map((source) => source.start()));
  const required = () => kubernetes.read().sources.filter(({ id }) => /^kubernetes\/(nodes|pods)$/.test(id));
  await until(kubernetes, () => kubernetes.read().sources.every(({ state }) => state !== "loading"));
  const unread = required().filter(({ state }) => state !== "live" && state !== "stale");
  if (unread.length > 0) {
    throw new Unreadable(unread.map(({ id, state, error }) => `${id} is ${state}: ${error?.message ?? ""}`));
  }
}

/** Starts `source` and waits for `isDone`; false where it took too long. */
async function until(source: OpenedSources["kubernetes"], isDone: () => boolean): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stopListening = source.onChange(() => {
    if (isDone()) resolve(true);
  });
  const timer = setTimeout(() => resolve(false), PATIENCE);
  source.start();
  return await promise.finally(() => {
    clearTimeout(timer);
    stopListening();
  });
}
