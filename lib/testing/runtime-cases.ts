import { diagnose } from "../diagnosis/diagnose.ts";
import type { Certainty, Verdict } from "../diagnosis/verdict.ts";
import type { Condition, ContainerRecord, PodRecord, Termination } from "../model/kubernetes.ts";
import type { Reason } from "../model/reasons.ts";
import { aContainer, aNode, anEvent, aPod, NOW } from "./builders.ts";
import { aFleet } from "./fleet-builder.ts";

export const MINUTE = 60_000;

/** A pod named `stuck` on node `a`, what is around it, and what the verdict on it has to be. */
export interface RuntimeCase {
  readonly title: string;
  /** undefined: nothing is wrong with it. */
  readonly reason: Reason | undefined;
  readonly pod: PodRecord;
  readonly log?: string;
  readonly certainty?: Certainty;
  readonly says?: RegExp;
  /** Further pods with what they print. */
  readonly others?: readonly (readonly [pod: PodRecord, log: string | undefined])[];
  readonly nodeConditions?: readonly Condition[];
  readonly events?: readonly Parameters<typeof anEvent>[0][];
}

/** The verdict on the pod of a case. */
export function verdictOn({
  pod,
  log,
  others = [],
  nodeConditions = [],
  events = [],
}: RuntimeCase): Verdict | undefined {
  const fleet = aFleet({
    nodes: [
      aNode({ name: "a", conditions: [aConditionAgo("Ready", "True"), ...nodeConditions] }),
      aNode({ name: "b" }),
    ],
    pods: [pod, ...others.map(([other]) => other)],
    events: events.map((event) => anEvent(event)),
  });
  const logs = new Map([["stuck", log], ...others.map(([{ name }, text]) => [name, text] as const)]);
  return diagnose(fleet, NOW, (_namespace, name) => logs.get(name)).find(({ name }) => name === "stuck");
}

/** A condition that has stood for `ago` milliseconds. */
export function aConditionAgo(
  type: string,
  status: "True" | "False",
  reason = "",
  ago = 20 * MINUTE,
): Condition {
  return { type, status, reason, message: "", lastTransitionTime: NOW - ago };
}

/** A run of `seconds` that ended `ago` milliseconds ago. */
export function aRun(exitCode: number, seconds: number, reason = "Error", ago = MINUTE): Termination {
  return {
    exitCode,
    reason,
    message: "",
    startedAt: NOW - ago - seconds * 1000,
    finishedAt: NOW - ago,
  };
}

/** A container in back-off after runs of `seconds`. */
export function crashing(exitCode = 1, seconds = 30, reason = "Error"): Partial<ContainerRecord> {
  return {
    ready: false,
    restarts: 6,
    state: { kind: "waiting", reason: "CrashLoopBackOff", message: "back-off 5m0s" },
    lastTermination: aRun(exitCode, seconds, reason),
  };
}

/** The pod that a case is about. */
export function aStuckPod(
  container: Partial<ContainerRecord> = {},
  overrides: Parameters<typeof aPod>[0] = {},
): PodRecord {
  return aPod({ name: "stuck", nodeName: "a", containers: [aContainer(container)], ...overrides });
}
