import type { EventRecord } from "../../model/kubernetes.ts";
import type { Clock } from "./clock.ts";
import type { RecordStore } from "./record-store.ts";
import { isRetainedKind } from "./retained-kinds.ts";

/** API servers themselves keep an event for an hour. */
const KEPT_MS = 3_600_000;
/** How long events are kept that still matter. */
const RETAINED_MS = 24 * KEPT_MS;
/** Most events that are kept. */
const LIMIT = 20_000;
/** What is left when the limit was passed, so that not every further event needs a search for the oldest. */
const AFTER_PRUNING = 19_000;
/** Most of them that are older than what API servers keep. */
const RETAINED_LIMIT = 5_000;

interface Entry {
  readonly record: EventRecord;
  /** When it last happened, as far as it says so, and not in the future. */
  readonly at: number;
}

/** An object as `EventRetention` names it. */
export function objectKey(object: {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}) {
  return `${object.kind}/${object.namespace ?? ""}/${object.name}`;
}

/** Which events are kept longer than API servers do. */
export interface EventRetention {
  /** Whether the object of this `objectKey` is stuck, so that what was said of it still matters. */
  readonly isStuck?: (key: string) => boolean;
  /** true: all, however old, as of a snapshot, which is never told of others. */
  readonly keepsOld?: boolean;
}

/**
 * What an autoscaler's event is about besides its object, where it writes the same of several: the claim that a pod is
 * to run on, the node group of its status.
 */
function namedIn({ about, reason, message }: EventRecord): string {
  if (reason === "Nominated") return /\b(?:nodeclaim|machine)\/[\w.-]+/.exec(message)?.[0] ?? "";
  if (about.kind !== "ConfigMap") return "";
  return /\bgroup (\S+?)[:,]?(?: |$)/i.exec(message)?.[1] ?? "";
}

/**
 * Keeps the newest event per object, reason and component for an hour; for a day, and though the server has dropped it,
 * where its object is still stuck, or is an autoscaler's or queue's: those may be gone when their events matter most.
 */
export function createEventStore(
  clock: Clock,
  { isStuck = () => false, keepsOld = false }: EventRetention = {},
): RecordStore<EventRecord> {
  /** object, reason and component -> entry */
  const entries = new Map<string, Entry>();
  /** uid of the event -> key in `entries` */
  const keys = new Map<string, string>();
  let listed: readonly EventRecord[] | undefined;

  const isRetained = ({ record: { about } }: Entry) => isRetainedKind(about) || isStuck(objectKey(about));
  const drop = (key: string, { record }: Entry) => {
    entries.delete(key);
    keys.delete(record.uid);
    listed = undefined;
  };
  const dropOldest = (list: [string, Entry][], left: number) => {
    list.sort(([, a], [, b]) => a.at - b.at);
    for (const [key, entry] of list.slice(0, Math.max(0, list.length - left))) drop(key, entry);
  };
  const dropOld = () => {
    if (keepsOld) return;
    const retained: [string, Entry][] = [];
    for (const [key, entry] of entries) {
      const age = clock.now() - entry.at;
      if (age < KEPT_MS) continue;
      if (age < RETAINED_MS && isRetained(entry)) retained.push([key, entry]);
      else drop(key, entry);
    }
    if (retained.length > RETAINED_LIMIT) dropOldest(retained, RETAINED_LIMIT);
  };
  const prune = () => {
    dropOld();
    const { retained = [], others = [] } = Object.groupBy(entries, ([, entry]) =>
      isRetained(entry) ? "retained" : "others",
    );
    dropOldest(others, Math.max(0, AFTER_PRUNING - retained.length));
    dropOldest(retained, AFTER_PRUNING);
  };

  const entryOf = (uid: string): [string, Entry] | undefined => {
    const key = keys.get(uid);
    const entry = key === undefined ? undefined : entries.get(key);
    return key !== undefined && entry ? [key, entry] : undefined;
  };
  const put = (record: EventRecord) => {
    const { about, lastAt } = record;
    const at = Math.min(lastAt ?? clock.now(), clock.now());
    const object = about.uid || [about.kind, about.namespace, about.name];
    const key = JSON.stringify([object, record.reason, record.component, namedIn(record)]);
    const before = entryOf(record.uid);
    if (before) drop(...before);
    const known = entries.get(key);
    if (known && known.at > at) return;
    if (known) drop(key, known);
    entries.set(key, { record, at });
    keys.set(record.uid, key);
    listed = undefined;
    if (entries.size > LIMIT) prune();
  };

  return {
    put,
    remove: (uid) => {
      const found = entryOf(uid);
      if (found && !isRetained(found[1])) drop(...found);
    },
    list: () => {
      dropOld();
      listed ??= [...entries.values()].map(({ record }) => record);
      return listed;
    },
    inherit: (replaced) => {
      for (const record of replaced.list()) {
        if (isRetainedKind(record.about) || isStuck(objectKey(record.about))) put(record);
      }
    },
  };
}
