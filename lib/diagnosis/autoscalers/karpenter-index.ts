import type { NodeClaimRecord } from "../../model/facts/karpenter.ts";
import type { EventRecord } from "../../model/kubernetes.ts";
import { eventEvidence } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";
import { classifyLaunchError, type LaunchError } from "./launch-errors.ts";
import type { FailedLaunch } from "./launch-state.ts";

/** What the cluster knows of one pool's launches. */
export interface PoolHistory {
  /** Those that have not become a ready node and are not on their way out. */
  readonly claims: readonly NodeClaimRecord[];
  /** Failures that no later launch has overtaken, newest first, at most FAILURES_KEPT: none of them said to be a pod's own. */
  readonly failed: readonly FailedLaunch[];
  /** Name of a claim, there or not any more -> its failures. */
  readonly ofClaim: ReadonlyMap<string, readonly FailedLaunch[]>;
  /** When a machine of it was last launched. */
  readonly lastLaunch: number;
}

/** Newest failures of a pool that are looked at. */
export const FAILURES_KEPT = 50;

/** Pool name -> its launches. */
export const karpenterIndex = perFleet((fleet): ReadonlyMap<string, PoolHistory> => {
  const index = new Map(fleet.facts.nodePools.items.map(({ name }) => [name, new Gathered()]));
  const poolOfClaim = new Map<string, string>();
  for (const claim of fleet.facts.nodeClaims.items) {
    poolOfClaim.set(claim.name, claim.nodePool);
    index.get(claim.nodePool)?.addClaim(claim);
  }
  const classify = classifier();
  for (const event of fleet.events.all) {
    const pool = poolOf(event, index, poolOfClaim);
    const gathered = pool === undefined ? undefined : index.get(pool);
    if (pool !== undefined && gathered) gathered.addEvent(event, pool, classify);
  }
  return new Map([...index].map(([name, gathered]) => [name, gathered.history()]));
});

class Gathered {
  readonly #claims: NodeClaimRecord[] = [];
  readonly #failed: FailedLaunch[] = [];
  readonly #ofClaim = new Map<string, FailedLaunch[]>();
  #lastLaunch = 0;

  addClaim(claim: NodeClaimRecord): void {
    const isTrue = (name: string) =>
      claim.conditions.find(({ type }) => type === name || type === `Machine${name}`);
    const launched = isTrue("Launched");
    if (launched?.status === "True") this.#note(launched.lastTransitionTime ?? claim.createdAt);
    if (claim.deletedAt === undefined && isTrue("Initialized")?.status !== "True") this.#claims.push(claim);
  }

  addEvent(event: EventRecord, pool: string, classify: Classifier): void {
    if (event.type !== "Warning") {
      if (/^(Launched|Registered)$/.test(event.reason)) this.#note(event.lastAt);
      return;
    }
    const failure = failedByEvent(event, pool, classify);
    if (!failure) return;
    this.#failed.push(failure);
    const known = this.#ofClaim.get(event.about.name);
    if (known) known.push(failure);
    else this.#ofClaim.set(event.about.name, [failure]);
  }

  history(): PoolHistory {
    const failed = this.#failed.filter(({ at }) => at >= this.#lastLaunch).sort((a, b) => b.at - a.at);
    return {
      claims: this.#claims,
      failed: failed.slice(0, FAILURES_KEPT),
      ofClaim: this.#ofClaim,
      lastLaunch: this.#lastLaunch,
    };
  }

  #note(at: number | undefined): void {
    if (at !== undefined) this.#lastLaunch = Math.max(this.#lastLaunch, at);
  }
}

type Classifier = (event: EventRecord) => LaunchError | undefined;

/** Karpenter says the same of claim after claim. */
function classifier(): Classifier {
  const known = new Map<string, LaunchError | undefined>();
  return ({ reason, message, about }) => {
    const text = `${reason} ${message.replaceAll(about.name, "")}`;
    if (!known.has(text)) known.set(text, classifyLaunchError(message) ?? classifyLaunchError(reason));
    return known.get(text);
  };
}

/** Warnings of other parts of a claim's life. */
const NO_LAUNCH = /Disrupt|Drain|Terminat|Consolidat|Repair|Consistency|Finaliz|Evict|Expire/i;

function failedByEvent(event: EventRecord, pool: string, classify: Classifier): FailedLaunch | undefined {
  const at = event.lastAt ?? event.firstAt;
  if (at === undefined || NO_LAUNCH.test(event.reason)) return undefined;
  const error = classify(event);
  if (!error && !/launch|provision|creat/i.test(`${event.reason} ${event.message}`)) return undefined;
  return { what: pool, pool, error, message: event.message, at, own: false, evidence: eventEvidence(event) };
}

function poolOf(
  { about }: EventRecord,
  pools: ReadonlyMap<string, unknown>,
  poolOfClaim: ReadonlyMap<string, string>,
): string | undefined {
  if (about.kind === "NodePool" || about.kind === "Provisioner") return about.name;
  if (about.kind !== "NodeClaim" && about.kind !== "Machine") return undefined;
  return poolOfClaim.get(about.name) ?? poolByName(about.name, pools);
}

/** A claim is called `POOL-` and five random characters, and often nothing but an event is left of it. */
export function poolByName(claim: string, pools: ReadonlyMap<string, unknown>): string | undefined {
  const pool = claim.replace(/-[a-z0-9]{5}$/, "");
  return pool !== claim && pools.has(pool) ? pool : undefined;
}
