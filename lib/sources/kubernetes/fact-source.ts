import type { FactObject } from "../../model/facts/fact-object.ts";
import { type FactName, type Facts, NO_FACTS } from "../../model/facts/facts.ts";
import type { Issue, Sourced, SourceStatus } from "../../model/snapshot.ts";
import { SourceError } from "../source-error.ts";
import { type Backoff, createBackoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Connection } from "./connection.ts";
import { factResource, factSourceId } from "./fact-resource.ts";
import type { FactKind } from "./kinds/fact-kind.ts";
import { Reflector } from "./reflector.ts";
import { readServedVersions, type ServedKind, servedKind } from "./served-kinds.ts";
import { createSilenceLimit, type SilenceLimit } from "./silence.ts";
import { SourceHealth } from "./source-health.ts";

export interface FactSourceOptions {
  readonly kinds: readonly FactKind[];
  readonly connection: Connection;
  readonly clock: Clock;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  /** Called after each batch of changes and each change of state. */
  readonly onChange: () => void;
}

export interface FactState {
  readonly facts: Facts;
  /** One a kind once it is known which there are; until then one, `kubernetes/discovery`. */
  readonly sources: readonly SourceStatus[];
  readonly issues: readonly Issue[];
}

type Following =
  | { readonly state: "absent"; readonly asOf: number }
  | { readonly state: "unknown"; readonly error: SourceError }
  | { readonly state: "served"; readonly version: string; readonly reflector: Reflector<FactObject> };

/** Kinds that come and go with their CRDs are looked for this often, ±10 %, in milliseconds; ... */
const DISCOVER_MS = 30_000;
/** ... and never sooner than this after the last time. */
const SHORTEST_GAP_MS = 1_000;

/** Follows those of `kinds` that the cluster has, each over one stream, in the best version that it serves. */
export class FactSource {
  readonly #options: FactSourceOptions;
  readonly #discovery: SourceHealth;
  readonly #backoff: Backoff;
  readonly #following = new Map<FactKind, Following>();
  readonly #ending = new Set<Promise<void>>();
  #limit: SilenceLimit | undefined;
  #again = false;
  #wake = () => {};
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(options: FactSourceOptions) {
    this.#options = options;
    this.#discovery = new SourceHealth("kubernetes/discovery", options.clock);
    this.#backoff = createBackoff(options.clock, options.random);
  }

  start(): void {
    if (this.#options.kinds.length > 0) this.#running ??= this.#run();
  }

  /** Resolves once nothing is open or pending any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#limit?.end();
    this.#wake();
    await this.#running;
    for (const following of this.#following.values()) this.#drop(following);
    await Promise.all(this.#ending);
  }

  read(): FactState {
    const { kinds } = this.#options;
    if (kinds.length === 0) return { facts: NO_FACTS, sources: [], issues: [] };
    const states = kinds.map((kind) => ({ kind, ...this.#read(kind) }));
    const facts = [...Map.groupBy(states, ({ kind }) => kind.fact)].map(
      ([name, list]): [FactName, Sourced<FactObject>] => [
        name,
        { known: list.every(({ known }) => known), items: list.flatMap(({ items }) => items) },
      ],
    );
    return {
      facts: { ...NO_FACTS, ...Object.fromEntries(facts) },
      sources: this.#discovery.known
        ? states.flatMap(({ status }) => status ?? [])
        : [this.#discovery.status()],
      issues: states.flatMap(({ issues }) => issues),
    };
  }

  #read(kind: FactKind): Sourced<FactObject> & { status?: SourceStatus; issues: readonly Issue[] } {
    const following = this.#following.get(kind);
    const nothing = { items: [], issues: [] };
    if (!following) return { known: false, ...nothing };
    if (following.state === "served") return following.reflector.read();
    const status = { id: factSourceId(kind), kind: "kubernetes" } as const;
    if (following.state === "absent") {
      const { asOf } = following;
      return { known: true, ...nothing, status: { ...status, state: "absent", asOf, error: undefined } };
    }
    const error = following.error.toProblem();
    return { known: false, ...nothing, status: { ...status, state: "unreachable", asOf: undefined, error } };
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const wait = await this.#discover();
      await this.#pause(Math.min(wait, SHORTEST_GAP_MS), false);
      await this.#pause(wait - SHORTEST_GAP_MS, true);
    }
  }

  /** Never throws; resolves to the milliseconds to wait before the next time. */
  async #discover(): Promise<number> {
    const { connection, kinds, clock, random, onChange } = this.#options;
    const limit = createSilenceLimit(clock, connection.server);
    this.#limit = limit;
    this.#again = false;
    try {
      const served = await readServedVersions(connection, kinds, limit);
      if (this.#stopped) return 0;
      for (const kind of kinds) this.#follow(kind, servedKind(kind, served));
      this.#discovery.current();
      return DISCOVER_MS * (0.9 + 0.2 * random());
    } catch (error) {
      if (this.#stopped) return 0;
      this.#discovery.failed(
        error instanceof SourceError ? error : new SourceError("invalid", String(error)),
        false,
      );
      return this.#backoff.next();
    } finally {
      limit.end();
      onChange();
    }
  }

  #follow(kind: FactKind, found: ServedKind): void {
    const before = this.#following.get(kind);
    if (before?.state === "served") {
      if (staysSo(before, found)) return;
      this.#drop(before);
    }
    this.#following.set(kind, this.#begin(kind, found));
  }

  #begin(kind: FactKind, found: ServedKind): Following {
    if (found.state === "unknown" || found.state === "unreadable")
      return { state: "unknown", error: found.error };
    if (found.state === "absent") return { state: "absent", asOf: this.#options.clock.now() };
    const { version } = found;
    const onAbsent = () => {
      this.#again = true;
      this.#wake();
    };
    const reflector = new Reflector({ ...this.#options, resource: factResource(kind, version), onAbsent });
    reflector.start();
    return { state: "served", version, reflector };
  }

  #drop(following: Following): void {
    if (following.state !== "served") return;
    const ended = following.reflector.stop().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  /** `early`: a kind that has gone ends it. */
  async #pause(ms: number, early: boolean): Promise<void> {
    if (this.#stopped || ms <= 0 || (early && this.#again)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.schedule(resolve, ms);
    this.#wake = () => {
      if (early || this.#stopped) resolve();
    };
    await promise;
    cancel();
    this.#wake = () => {};
  }
}

/**
 * Whether what is followed goes on as it is. While its group cannot be asked, its own stream tells how it is; and a stream
 * that stands is right where discovery has lost the kind, as on one of several API servers that has just started.
 */
function staysSo(before: Following & { state: "served" }, found: ServedKind): boolean {
  switch (found.state) {
    case "unknown":
      return true;
    case "served":
      return found.version === before.version;
    case "unreadable":
    case "absent":
      return before.reflector.read().status.state === "live";
    default:
      return found satisfies never;
  }
}
