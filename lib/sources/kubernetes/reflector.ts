import type { Issue, Sourced, SourceStatus } from "../../model/snapshot.ts";
import { SourceError } from "../source-error.ts";
import { type Backoff, createBackoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Connection } from "./connection.ts";
import type { StreamResponse } from "./http-stream.ts";
import { listPages, readVersion } from "./list-pages.ts";
import { rawObject } from "./raw.ts";
import { ReadingIssues } from "./reading-issues.ts";
import { isOlder, ResourceCache, resourceVersion } from "./resource-cache.ts";
import { notKubernetes, responseError } from "./response-error.ts";
import { createSilenceLimit, type SilenceLimit } from "./silence.ts";
import { SourceHealth } from "./source-health.ts";
import { watchQuery } from "./watch-query.ts";
import type { WatchedRecord, WatchedResource } from "./watched-resource.ts";
import { createWatchDecoder, type WatchItem } from "./wire.ts";

export interface ReflectorOptions<T extends WatchedRecord> {
  readonly resource: WatchedResource<T>;
  readonly connection: Connection;
  readonly clock: Clock;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  /** Called after each batch of changes and each change of state. */
  readonly onChange: () => void;
  /** Called whenever the server does not know the resource. */
  readonly onAbsent?: () => void;
}

export interface ReflectorState<T> extends Sourced<T> {
  readonly status: SourceStatus;
  readonly issues: readonly Issue[];
}

/** A resource that is forbidden or absent is looked for again within a minute. */
const RECHECK_MS = 45_000;
const RECHECK_JITTER_MS = 14_000;

/** So often in a row is it refused before that counts: a server that has just started knows no roles for a moment. */
const REFUSALS = 4;

/** A watch that ends within this time, and without a word, does not count as a good one. */
const INSTANT_MS = 1_000;
/** So many of them in a row are resumed at once. */
const INSTANT_ENDS = 3;
/** So often in a row may a watch break on what it is told, before everything is listed anew. */
const STRIKES = 2;

/**
 * Follows one resource: lists it, then watches from there on, for ever, whatever goes wrong. The list comes as the
 * beginning of the watch, or in pages from servers that cannot do that. Objects are normalised as they arrive and dropped.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 */
export class Reflector<T extends WatchedRecord> {
  readonly #options: ReflectorOptions<T>;
  readonly #cache: ResourceCache<T>;
  readonly #health: SourceHealth;
  readonly #issues: ReadingIssues<T>;
  readonly #backoff: Backoff;
  #watchList = true;
  #instantEnds = 0;
  #strikes = 0;
  /** Of the list that is being read: what it has sent that could be passed over. */
  #noEvent: SourceError | undefined;
  #refusals = 0;
  /** The connection has failed: what answers next may be another server, or one restored from a backup. */
  #doubtful = false;
  #limit: SilenceLimit | undefined;
  #wake = () => {};
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(options: ReflectorOptions<T>) {
    const { resource, clock, random } = options;
    this.#options = options;
    this.#cache = new ResourceCache(resource);
    this.#health = new SourceHealth(resource.id, clock);
    this.#issues = new ReadingIssues(resource);
    this.#backoff = createBackoff(clock, random);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves once nothing is open or pending any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#limit?.end();
    this.#wake();
    await this.#running;
  }

  read(): ReflectorState<T> {
    const items = this.#cache.records();
    return {
      known: this.#health.known,
      items,
      status: this.#health.status(),
      issues: this.#issues.list(items),
    };
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const wait = await this.#attempt();
      if (wait > 0 && !this.#stopped) await this.#pause(wait);
    }
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.schedule(resolve, ms);
    this.#wake = () => {
      cancel();
      resolve();
    };
    await promise;
  }

  /** Lists if need be, then watches until that ends. Never throws; resolves to the milliseconds to wait before the next. */
  async #attempt(): Promise<number> {
    const { clock, connection } = this.#options;
    const limit = createSilenceLimit(clock, connection.server);
    this.#limit = limit;
    try {
      if (this.#doubtful) await this.#checkVersion(limit);
      if (this.#cache.version === undefined && !this.#watchList) await this.#list(limit);
      return await this.#watch(limit);
    } catch (error) {
      // A server that does not know how to send a list as a watch may never tell that it is complete.
      if (this.#cache.listing && limit.signal.aborted) this.#watchList = false;
      return this.#failed(error instanceof SourceError ? error : new SourceError("invalid", String(error)));
    } finally {
      limit.end();
      this.#cache.dropList();
      this.#health.interrupted();
    }
  }

  /** A server says nothing at all to a watch from a version that it has yet to reach: everything is listed anew then. */
  async #checkVersion(limit: SilenceLimit): Promise<void> {
    const { connection, resource } = this.#options;
    const { version } = this.#cache;
    if (version !== undefined && isOlder(await readVersion(connection, resource, limit), version)) {
      this.#cache.forgetVersion();
    }
    this.#doubtful = false;
  }

  async #list(limit: SilenceLimit): Promise<void> {
    const { connection, resource } = this.#options;
    this.#startList();
    const version = await listPages(connection, resource, limit, (object) => this.#put(object));
    this.#completeList(version);
    this.#health.interrupted();
    this.#options.onChange();
  }

  async #watch(limit: SilenceLimit): Promise<number> {
    const { clock, resource, random } = this.#options;
    const { version } = this.#cache;
    const path = `${resource.path}?${watchQuery(version, random, resource.fieldSelector)}`;
    const response = await this.#openWatch(path, limit);
    if (!response) return 0;

    const openedAt = clock.now();
    this.#refusals = 0;
    limit.heard();
    if (version === undefined) this.#startList();
    else this.#health.current();
    this.#options.onChange();

    const decode = createWatchDecoder(response.contentType);
    let silent = true;
    await response.follow((chunk) => {
      silent = false;
      limit.heard();
      if (!this.#cache.listing) this.#health.heard();
      this.#take(decode(chunk), path);
    });
    if (this.#cache.listing) {
      if (this.#noEvent) throw this.#noEvent;
      throw new SourceError("unreachable", `The list of ${resource.path} broke off before it was complete`);
    }
    return this.#ended(silent && clock.now() - openedAt < INSTANT_MS);
  }

  /** undefined where the server does not send lists as watches: they come in pages from now on. */
  async #openWatch(path: string, limit: SilenceLimit): Promise<StreamResponse | undefined> {
    const { connection, resource } = this.#options;
    try {
      return await connection.open(path, { accept: resource.accept, signal: limit.signal });
    } catch (error) {
      if (!(error instanceof SourceError) || error.code !== "invalid") throw error;
      if (this.#cache.version === undefined) {
        this.#watchList = false;
        return undefined;
      }
      this.#cache.forgetVersion();
      throw error;
    }
  }

  #take(items: readonly WatchItem[], path: string): void {
    let changed = false;
    try {
      for (const item of items) changed = this.#apply(item, path) || changed;
    } finally {
      if (changed) this.#options.onChange();
    }
  }

  /** Returns whether `read` shows something else now. Throws where the watch cannot go on. */
  #apply(item: WatchItem, path: string): boolean {
    const { listing } = this.#cache;
    switch (item.type) {
      case "ADDED":
      case "MODIFIED":
        this.#put(item.object);
        break;
      case "DELETED":
        this.#cache.remove(item.object);
        break;
      case "BOOKMARK":
        if (listing) this.#endOfList(item.object);
        else this.#cache.bookmark(item.object);
        break;
      case "ERROR":
        throw this.#told(item.object, path);
      case "malformed":
        this.#malformed(item.why);
        return true;
      default:
        item satisfies never;
    }
    if (!listing) this.#strikes = 0;
    return item.type === "BOOKMARK" ? listing : !listing;
  }

  #told(status: unknown, path: string): SourceError {
    const { code } = rawObject(status);
    const request = { server: this.#options.connection.server, path };
    const error = responseError(request, typeof code === "number" ? code : 500, status);
    if (error.code !== "expired") this.#strike();
    return error;
  }

  #put(object: unknown): void {
    if (!this.#cache.put(object)) this.#issues.addUnreadable("an object without a name");
  }

  #startList(): void {
    this.#noEvent = undefined;
    this.#cache.startList();
    this.#health.listing();
  }

  #completeList(version: string): void {
    if (version === "")
      throw new SourceError("invalid", `The list of ${this.#options.resource.path} has no version`);
    this.#cache.completeList(version);
    this.#health.current();
  }

  #endOfList(bookmark: unknown): void {
    const { annotations } = rawObject(rawObject(bookmark).metadata);
    if (rawObject(annotations)["k8s.io/initial-events-end"] === "true") {
      this.#completeList(resourceVersion(bookmark));
      return;
    }
    this.#watchList = false;
    throw new SourceError("invalid", "The server sends a watch that never tells the end of its list");
  }

  /** What it was lies behind the version from which the watch resumes, so it comes again, unless it was broken to begin with. */
  #malformed(why: string): void {
    this.#issues.addUnreadable(why);
    const again = this.#strikes > 0;
    this.#strike();
    const error = notKubernetes(`The watch on ${this.#options.resource.path} sent what is no event: ${why}`);
    if (!this.#cache.listing || !again) throw error;
    this.#noEvent = error;
  }

  #strike(): void {
    this.#strikes += 1;
    if (this.#strikes >= STRIKES) this.#cache.forgetVersion();
  }

  /** The watch ended without an error, or its connection did: it goes on at once where it was. */
  #ended(instantly: boolean): number {
    this.#instantEnds = instantly ? this.#instantEnds + 1 : 0;
    if (this.#instantEnds <= INSTANT_ENDS) return 0;
    const { path } = this.#options.resource;
    return this.#failed(
      new SourceError("unreachable", `The server ends the watch on ${path} as soon as it is open`),
    );
  }

  #failed(error: SourceError): number {
    if (this.#stopped) return 0;
    if (error.code === "expired") {
      const listing = this.#cache.version === undefined;
      this.#strike();
      this.#cache.forgetVersion();
      if (!listing && this.#strikes <= STRIKES) return 0;
    }
    const refused = error.code === "forbidden" || error.code === "absent";
    this.#refusals = refused ? this.#refusals + 1 : 0;
    this.#doubtful ||= error.code === "unreachable";
    const gone = refused && (!this.#health.known || this.#refusals >= REFUSALS);
    this.#health.failed(error, gone);
    if (gone) this.#cache.clear();
    if (error.code === "absent") this.#options.onAbsent?.();
    this.#options.onChange();
    return this.#delay(error, gone);
  }

  #delay({ retryAfterMs }: SourceError, gone: boolean): number {
    const { random } = this.#options;
    if (gone) return RECHECK_MS + RECHECK_JITTER_MS * random();
    const backoff = this.#backoff.next();
    return retryAfterMs === undefined ? backoff : Math.max(backoff, retryAfterMs * (1 + 0.2 * random()));
  }
}
