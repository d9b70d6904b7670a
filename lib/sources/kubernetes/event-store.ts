import type { EventRecord } from "../../model/kubernetes.ts";
import type { Clock } from "./clock.ts";
import type { RecordStore } from "./record-store.ts";

/** API servers themselves keep an event for an hour. */
const KEPT_MS = 3_600_000;
/** Most events that are kept. */
const LIMIT = 20_000;
/** What is left when the limit was passed, so that not every further event needs a search for the oldest. */
const AFTER_PRUNING = 19_000;

interface Entry {
  readonly record: EventRecord;
  /** When it last happened, as far as it says so, and not in the future. */
  readonly at: number;
}

/** Keeps of the events about Pods and Nodes the newest per object, reason and component, for an hour. */
export function createEventStore(clock: Clock): RecordStore<EventRecord> {
  /** object, reason and component -> entry */
  const entries = new Map<string, Entry>();
  /** uid of the event -> key in `entries` */
  const keys = new Map<string, string>();
  let listed: readonly EventRecord[] | undefined;

  const drop = (key: string, { record }: Entry) => {
    entries.delete(key);
    keys.delete(record.uid);
    listed = undefined;
  };
  const dropOld = () => {
    const oldest = clock.now() - KEPT_MS;
    for (const [key, entry] of entries) if (entry.at <= oldest) drop(key, entry);
  };
  const prune = () => {
    dropOld();
    const byAge = [...entries].sort(([, a], [, b]) => a.at - b.at);
    for (const [key, entry] of byAge.slice(0, Math.max(0, byAge.length - AFTER_PRUNING))) drop(key, entry);
  };

  const remove = (uid: string) => {
    const key = keys.get(uid);
    const entry = key === undefined ? undefined : entries.get(key);
    if (key !== undefined && entry) drop(key, entry);
  };

  return {
    put: (record) => {
      const { about, lastAt } = record;
      if (about.kind !== "Pod" && about.kind !== "Node") return;
      const at = Math.min(lastAt ?? clock.now(), clock.now());
      const object = about.uid || [about.kind, about.namespace, about.name];
      const key = JSON.stringify([object, record.reason, record.component]);
      remove(record.uid);
      const known = entries.get(key);
      if (known && known.at > at) return;
      if (known) drop(key, known);
      entries.set(key, { record, at });
      keys.set(record.uid, key);
      listed = undefined;
      if (entries.size > LIMIT) prune();
    },
    remove,
    list: () => {
      dropOld();
      listed ??= [...entries.values()].map(({ record }) => record);
      return listed;
    },
  };
}
