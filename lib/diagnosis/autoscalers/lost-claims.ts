import type { EventIndex } from "../../layers/fleet.ts";
import type { EventRecord, PodRecord } from "../../model/kubernetes.ts";
import { perFleet } from "../per-fleet.ts";
import type { PlacementQuestion } from "../question.ts";
import { isFromAutoscaler } from "./autoscaler.ts";
import { karpenterIndex, poolByName } from "./karpenter-index.ts";

/** A claim of Karpenter that a pod was to run on, and that is gone without the launch having failed. */
export interface LostClaim {
  readonly name: string;
  readonly pool: string;
  /** When the pod was first told to wait for it. */
  readonly at: number;
  /** `never-joined`: its machine did not become a node in time. `withdrawn`: it did, and was taken away again. */
  readonly how: "never-joined" | "withdrawn";
  /** What shows it. */
  readonly event: EventRecord;
}

/** Karpenter gives a machine up that has not joined by then; a refused launch is over within seconds. */
const WAITED_MS = 10 * 60_000;

/** Claims that were made for the pod and came to nothing, newest first: one is a mishap, several are a loop. */
export function lostClaims({ pod, fleet }: PlacementQuestion): readonly LostClaim[] {
  if (!fleet.facts.nodeClaims.known) return [];
  const history = karpenterIndex(fleet);
  const nominations = nominationsOf(pod, fleet.events.ofPod(pod.namespace, pod.name));
  const there = claimNames(fleet);
  return nominations.flatMap(({ name, at, event }, index): LostClaim[] => {
    const pool = poolByName(name, history);
    if (pool === undefined || there.has(name) || history.get(pool)?.ofClaim.has(name)) return [];
    const ended = endOf(name, fleet.events);
    if (ended) return [{ name, pool, at, how: "withdrawn", event: ended }];
    const next = nominations[index - 1]?.at;
    if (next === undefined || next - at < WAITED_MS) return [];
    return [{ name, pool, at, how: "never-joined", event }];
  });
}

const claimNames = perFleet(({ facts }) => new Set(facts.nodeClaims.items.map(({ name }) => name)));

interface Nomination {
  readonly name: string;
  readonly at: number;
  readonly event: EventRecord;
}

/** Newest first, each claim once. */
function nominationsOf(pod: PodRecord, events: readonly EventRecord[]): readonly Nomination[] {
  const first = new Map<string, Nomination>();
  for (const event of events) {
    const name = /(?:nodeclaim|machine)\/([\w.-]+)/.exec(event.message)?.[1];
    const at = event.firstAt ?? event.lastAt;
    if (event.reason !== "Nominated" || !isFromAutoscaler(event) || name === undefined || at === undefined) {
      continue;
    }
    // What was said of an earlier pod of the name.
    if (pod.createdAt !== undefined && at < pod.createdAt - 60_000) continue;
    const known = first.get(name);
    if (!known || at < known.at) first.set(name, { name, at, event });
  }
  return [...first.values()].sort((a, b) => b.at - a.at);
}

/** That the machine had joined, or why it was taken away. */
function endOf(name: string, { of }: EventIndex): EventRecord | undefined {
  const events = [...of("NodeClaim", "", name), ...of("Machine", "", name)];
  return (
    events.find(({ reason, message }) => TAKEN_AWAY.test(`${reason} ${message}`)) ??
    events.find(({ reason }) => /^(Registered|Initialized)$/.test(reason))
  );
}

const TAKEN_AWAY =
  /DisruptionTerminating|DisruptionLaunching|Disrupting|Consolidat|Emptiness|deprovisioning/i;
