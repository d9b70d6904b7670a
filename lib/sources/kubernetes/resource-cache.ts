import { rawObject, rawUid } from "./raw.ts";
import type { RecordStore } from "./record-store.ts";
import type { WatchedRecord, WatchedResource } from "./watched-resource.ts";

/** What has been read of one resource. A new list is collected aside and replaces the old records when it is complete. */
export class ResourceCache<T extends WatchedRecord> {
  readonly #resource: WatchedResource<T>;
  #store: RecordStore<T>;
  #list: RecordStore<T> | undefined;
  #version: string | undefined;

  constructor(resource: WatchedResource<T>) {
    this.#resource = resource;
    this.#store = resource.createStore();
  }

  /** The resourceVersion up to which it is complete, opaque; undefined where everything has to be listed. */
  get version(): string | undefined {
    return this.#version;
  }

  /** A list is being collected. */
  get listing(): boolean {
    return this.#list !== undefined;
  }

  records(): readonly T[] {
    return this.#store.list();
  }

  startList(): void {
    this.#version = undefined;
    this.#list = this.#resource.createStore();
  }

  /** Gives up a list that is not complete; the records stay. */
  dropList(): void {
    this.#list = undefined;
  }

  /** Replaces the records by the list. Deletions that were missed are what the list does not have. */
  completeList(version: string): void {
    if (this.#list) {
      this.#list.inherit?.(this.#store);
      this.#store = this.#list;
    }
    this.#list = undefined;
    this.#version = version;
  }

  /** The records stay, but have to be listed anew. */
  forgetVersion(): void {
    this.#version = undefined;
  }

  /** Drops everything. */
  clear(): void {
    this.#store = this.#resource.createStore();
    this.#list = undefined;
    this.#version = undefined;
  }

  /** Adds or replaces an object, or takes it out where it is no longer of use; false, and nothing is kept, where it has no name. */
  put(object: unknown): boolean {
    const record = this.#resource.normalize(object);
    if (!record) {
      this.remove(object);
      return true;
    }
    this.bookmark(object);
    if (record.name === "") return false;
    (this.#list ?? this.#store).put(record);
    return true;
  }

  remove(object: unknown): void {
    (this.#list ?? this.#store).remove(rawUid(object));
    this.bookmark(object);
  }

  /** Everything up to this object's version has been told. */
  bookmark(object: unknown): void {
    if (!this.#list) this.#version = resourceVersion(object) || this.#version;
  }
}

/** `metadata.resourceVersion`; empty where there is none. */
export function resourceVersion(object: unknown): string {
  const { resourceVersion: version } = rawObject(rawObject(object).metadata);
  return typeof version === "string" ? version : "";
}

/**
 * Whether version `a` comes before `b`. They are integers that only grow; where a server has others, nothing is said.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions
 */
export function isOlder(a: string, b: string): boolean {
  return /^\d+$/.test(a) && /^\d+$/.test(b) && BigInt(a) < BigInt(b);
}
