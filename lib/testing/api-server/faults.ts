import type { Lister } from "./list.ts";
import type { ObjectStore } from "./object-store.ts";
import type { Verb } from "./request.ts";
import { failure, type Status, tooLargeResourceVersion } from "./status.ts";
import type { Watcher } from "./watcher.ts";

/** Which requests a fault hits; all that is left out matches. */
export interface FaultScope {
  readonly verb?: Verb;
  /** Requests until it is used up; without it the fault stands until `clear`. */
  readonly times?: number;
}

/** What a failing request is answered with. */
export interface FailOptions extends FaultScope {
  readonly message?: string;
  /** Seconds, sent as the Retry-After header and in the Status. */
  readonly retryAfter?: number;
}

/** What the handler has to do to one request before it answers. */
export interface Interference {
  readonly delay: number;
  readonly status: Status | undefined;
}

interface Rule {
  readonly plural: string;
  readonly verb: Verb | undefined;
  readonly delay: number;
  readonly status: Status | undefined;
  left: number;
}

interface Port {
  readonly open: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly store: ObjectStore;
  readonly lister: Lister;
  readonly watcher: Watcher;
  readonly port: Port;
}

/** Breaks the server on purpose, while it runs. `plural` is a resource, e.g. `pods`, or `*` for all of them. */
export class Faults {
  readonly #parts: Parts;
  #rules: Rule[] = [];
  readonly #downGroups = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Answers requests with an HTTP status and its Status object. */
  fail(plural: string, code: number, options: FailOptions = {}): void {
    this.#add(plural, options, 0, failure(code, options.message, options.retryAfter));
  }

  /** Answers requests with 504, as a server does whose data is behind what the client has seen. */
  failTooLargeResourceVersion(plural: string, scope: FaultScope = {}): void {
    const { version } = this.#parts.store;
    this.#add(plural, scope, 0, tooLargeResourceVersion(String(version + 1), String(version)));
  }

  /** Holds answers back for `milliseconds`. */
  delay(plural: string, milliseconds: number, scope: FaultScope = {}): void {
    this.#add(plural, scope, milliseconds, undefined);
  }

  /** Lets every request for a group fail, and discovery not know what it has, as where the server behind an APIService is down. */
  failGroup(group: string): void {
    this.#downGroups.add(group);
    for (const watch of this.#parts.watcher.open("*")) if (watch.resource.group === group) watch.reset();
  }

  /** Groups that `failGroup` holds down. */
  get downGroups(): ReadonlySet<string> {
    return this.#downGroups;
  }

  /** Takes a resource with its objects away, as where its CRD is deleted; its open watches stand until `closeWatches`. */
  dropResource(plural: string): void {
    this.#parts.store.dropResource(plural);
  }

  /** Ends `fail`, `failGroup` and `delay`. */
  clear(): void {
    this.#rules = [];
    this.#downGroups.clear();
  }

  /** Ends the open watches cleanly, as after their timeout. */
  closeWatches(plural = "*"): void {
    for (const watch of this.#parts.watcher.open(plural)) watch.close();
  }

  /** Drops the connections of the open watches in the middle of an event. */
  resetWatches(plural = "*"): void {
    for (const watch of this.#parts.watcher.open(plural)) watch.reset();
  }

  /** Lets the open watches say nothing any more, not even bookmarks; new ones are not hit. */
  stallWatches(plural = "*"): void {
    for (const watch of this.#parts.watcher.open(plural)) watch.stall();
  }

  /** Sends an ERROR event into the open watches and ends them. */
  failWatches(plural = "*", code = 410, message?: string): void {
    for (const watch of this.#parts.watcher.open(plural)) watch.fail(failure(code, message));
  }

  /** Sends bytes that are no event into the open watches. */
  garbage(plural = "*"): void {
    for (const watch of this.#parts.watcher.open(plural)) watch.garbage();
  }

  /** Makes every version handed out so far too old: watches that resume get 410. */
  forgetHistory(): void {
    this.#parts.store.forgetHistory();
  }

  /** Makes every continue token handed out so far too old: the next page is a 410. */
  expireContinueTokens(): void {
    this.#parts.lister.expire();
  }

  /** Drops all watches and goes on at another, lower resourceVersion, as after a restore from a backup. */
  restart(version: number): void {
    this.resetWatches();
    this.#parts.store.restart(version);
    this.expireContinueTokens();
  }

  /** Closes the port and every connection. */
  async down(): Promise<void> {
    await this.#parts.port.close();
  }

  /** Listens on the same port again. */
  async up(): Promise<void> {
    await this.#parts.port.open();
  }

  /** For the handler: what stands against this request; uses it up. */
  take(plural: string, verb: Verb): Interference {
    let delay = 0;
    let status: Status | undefined;
    for (const rule of this.#rules) {
      if ((rule.plural !== "*" && rule.plural !== plural) || (rule.verb ?? verb) !== verb || rule.left <= 0) {
        continue;
      }
      if (rule.status && status) continue;
      rule.left -= 1;
      delay += rule.delay;
      status ??= rule.status;
    }
    this.#rules = this.#rules.filter((rule) => rule.left > 0);
    return { delay, status };
  }

  #add(plural: string, scope: FaultScope, delay: number, status: Status | undefined): void {
    this.#rules.push({
      plural,
      verb: scope.verb,
      delay,
      status,
      left: scope.times ?? Number.POSITIVE_INFINITY,
    });
  }
}
