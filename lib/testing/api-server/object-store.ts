import { randomUUID } from "node:crypto";
import { type ApiResource, apiResourceOf, apiVersionOf, resourceKey } from "./api-resource.ts";
import type { KubernetesObject, ObjectRef } from "./kubernetes-object.ts";

/** One change of the store, as watches tell it. */
export interface StoreEvent {
  /** The store's version after the change; the object's resourceVersion, also for DELETED. */
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resource: ApiResource;
  readonly object: KubernetesObject;
  /** What the change replaced or removed. */
  readonly previous: KubernetesObject | undefined;
}

/** Events that are kept for watches that resume; older versions are gone. */
const HISTORY = 10_000;

/** Served even while there are none of them. */
const ALWAYS = ["Node", "Pod", "Event", "Namespace"];

/** The server's objects under one growing resourceVersion, with the recent changes. */
export class ObjectStore {
  readonly #now: () => number;
  /** resource key -> `NAMESPACE/NAME` -> object */
  readonly #objects = new Map<string, Map<string, KubernetesObject>>();
  readonly #resources = new Map<string, ApiResource>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  #history: StoreEvent[] = [];
  #version = 1;
  /** Watches resume from this version on. */
  #oldest = 1;

  /** `now` in epoch milliseconds gives the creationTimestamp of objects that have none. */
  constructor(now: () => number) {
    this.#now = now;
    for (const kind of ALWAYS) this.#register(apiResourceOf({ apiVersion: "v1", kind }));
  }

  get version(): number {
    return this.#version;
  }

  get resources(): readonly ApiResource[] {
    return [...this.#resources.values()];
  }

  resource(apiVersion: string, plural: string): ApiResource | undefined {
    return this.#resources.get(resourceKey(apiVersion, plural));
  }

  /** All objects of a resource, by namespace and name as etcd sorts them. */
  list(resource: ApiResource): readonly KubernetesObject[] {
    return [...this.#of(resource)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  get(resource: ApiResource, namespace: string, name: string): KubernetesObject | undefined {
    return this.#of(resource).get(`${namespace}/${name}`);
  }

  /** Adds or replaces; an object that comes with another uid than the one of its name replaces it as a new one. */
  apply(object: KubernetesObject): void {
    const resource = this.#register(apiResourceOf(object));
    const namespace = resource.namespaced ? object.metadata.namespace || "default" : undefined;
    if (namespace !== undefined) this.#ensureNamespace(namespace);
    const key = `${namespace ?? ""}/${object.metadata.name}`;
    const existing = this.#of(resource).get(key);
    const given = object.metadata.uid;
    if (existing && given !== undefined && given !== existing.metadata.uid)
      this.#delete(resource, key, existing);
    const previous = this.#of(resource).get(key);
    const version = ++this.#version;
    const stored: KubernetesObject = {
      ...object,
      metadata: {
        ...object.metadata,
        ...(namespace === undefined ? {} : { namespace }),
        uid: given ?? previous?.metadata.uid ?? randomUUID(),
        resourceVersion: String(version),
        creationTimestamp:
          object.metadata.creationTimestamp ?? previous?.metadata.creationTimestamp ?? this.#timestamp(),
      },
    };
    this.#of(resource).set(key, stored);
    this.#emit({ version, type: previous ? "MODIFIED" : "ADDED", resource, object: stored, previous });
  }

  /** Removes the object; false where there is none. */
  remove(ref: ObjectRef): boolean {
    const resource = this.resources.find(
      (each) => each.kind === ref.kind && (ref.apiVersion ?? apiVersionOf(each)) === apiVersionOf(each),
    );
    if (!resource) return false;
    const key = `${resource.namespaced ? ref.namespace || "default" : ""}/${ref.name}`;
    const existing = this.#of(resource).get(key);
    if (existing) this.#delete(resource, key, existing);
    return existing !== undefined;
  }

  /** Takes a resource away with all of its objects, without a word to its watches. */
  dropResource(plural: string): void {
    for (const [key, resource] of this.#resources) {
      if (resource.plural !== plural) continue;
      this.#resources.delete(key);
      this.#objects.delete(key);
    }
  }

  /** What happened after `version`, oldest first; undefined where that is no longer known. */
  eventsSince(version: number): readonly StoreEvent[] | undefined {
    if (version < this.#oldest) return undefined;
    return this.#history.filter((event) => event.version > version);
  }

  /** Calls `listener` at every change, until the returned function is called. */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Every version handed out so far is too old to resume from. */
  forgetHistory(): void {
    this.#history = [];
    this.#oldest = ++this.#version;
  }

  /** The same objects at another version, as after a restore from a backup; no history. */
  restart(version: number): void {
    this.#history = [];
    this.#version = version;
    this.#oldest = version;
    for (const objects of this.#objects.values()) {
      for (const [key, object] of objects) {
        objects.set(key, { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } });
      }
    }
  }

  #delete(resource: ApiResource, key: string, previous: KubernetesObject): void {
    this.#of(resource).delete(key);
    const version = ++this.#version;
    const object = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(version) } };
    this.#emit({ version, type: "DELETED", resource, object, previous });
  }

  #emit(event: StoreEvent): void {
    this.#history.push(event);
    const dropped = this.#history.length > HISTORY ? this.#history.shift() : undefined;
    if (dropped) this.#oldest = dropped.version;
    for (const listener of [...this.#listeners]) listener(event);
  }

  #ensureNamespace(name: string): void {
    const resource = this.#register(apiResourceOf({ apiVersion: "v1", kind: "Namespace" }));
    if (this.get(resource, "", name)) return;
    this.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name }, status: { phase: "Active" } });
  }

  #register(resource: ApiResource): ApiResource {
    const key = resourceKey(apiVersionOf(resource), resource.plural);
    const known = this.#resources.get(key);
    if (known) return known;
    this.#resources.set(key, resource);
    this.#objects.set(key, new Map());
    return resource;
  }

  #of(resource: ApiResource): Map<string, KubernetesObject> {
    return this.#objects.get(resourceKey(apiVersionOf(resource), resource.plural)) ?? new Map();
  }

  #timestamp(): string {
    return `${new Date(this.#now()).toISOString().slice(0, 19)}Z`;
  }
}
