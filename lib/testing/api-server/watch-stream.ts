import type { ServerResponse } from "node:http";
import { type ApiResource, apiVersionOf } from "./api-resource.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { StoreEvent } from "./object-store.ts";
import type { Status } from "./status.ts";
import type { WireFormat } from "./wire-format.ts";

/** Marks the bookmark after which a watch has told all that was there when it began. */
const INITIAL_EVENTS_END = { "k8s.io/initial-events-end": "true" };

/** One open watch: what is written into its answer, and the ways in which it can break. */
export class WatchStream {
  readonly resource: ApiResource;
  readonly #response: ServerResponse;
  readonly #format: WireFormat;
  readonly #selects: (object: KubernetesObject) => boolean;
  #stalled = false;

  constructor(
    resource: ApiResource,
    response: ServerResponse,
    format: WireFormat,
    selects: (object: KubernetesObject) => boolean,
  ) {
    this.resource = resource;
    this.#response = response;
    this.#format = format;
    this.#selects = selects;
    response.writeHead(200, { "content-type": format.watchContentType });
    response.flushHeaders();
  }

  /** Tells one that was there before the watch began. */
  initial(object: KubernetesObject): void {
    if (this.#selects(object)) this.#write("ADDED", object);
  }

  /** Tells a change; one that moves an object into or out of the selection is an addition or a deletion. */
  deliver(event: StoreEvent): void {
    if (event.resource !== this.resource) return;
    const before = event.previous !== undefined && this.#selects(event.previous);
    const after = event.type !== "DELETED" && this.#selects(event.object);
    if (!before && !after) return;
    this.#write(before && after ? "MODIFIED" : after ? "ADDED" : "DELETED", event.object);
  }

  /** Tells the version up to which everything has been told. */
  bookmark(version: number, initialEventsEnd = false): void {
    this.#write("BOOKMARK", this.#bookmark(version, initialEventsEnd));
  }

  /** Tells an error and ends, as API servers do. */
  fail(status: Status): void {
    this.#write("ERROR", status);
    this.close();
  }

  /** Writes what is no event. */
  garbage(): void {
    if (this.#writable()) this.#response.write("this is not an event\n");
  }

  /** Says nothing from now on; the connection stays open. */
  stall(): void {
    this.#stalled = true;
  }

  /** Ends the answer cleanly. */
  close(): void {
    this.#response.end();
  }

  /** Writes half an event and drops the connection. */
  reset(): void {
    if (this.#response.writableEnded) return;
    // Nothing may follow the half event, or the reader would take both for one malformed line.
    this.#stalled = true;
    const bytes = Buffer.from(this.#format.event("BOOKMARK", this.#bookmark(0, false)));
    this.#response.write(bytes.subarray(0, bytes.length / 2), () => this.#response.destroy());
  }

  #write(type: string, object: object): void {
    if (!this.#writable()) return;
    // The next watch begins with this object, and is therefore answered in a format that holds it.
    if (this.#format.holds(object)) this.#response.write(this.#format.event(type, object));
    else this.close();
  }

  #writable(): boolean {
    return !this.#stalled && !this.#response.writableEnded;
  }

  #bookmark(version: number, initialEventsEnd: boolean) {
    return {
      kind: this.resource.kind,
      apiVersion: apiVersionOf(this.resource),
      metadata: {
        resourceVersion: String(version),
        creationTimestamp: null,
        ...(initialEventsEnd ? { annotations: INITIAL_EVENTS_END } : {}),
      },
    };
  }
}
