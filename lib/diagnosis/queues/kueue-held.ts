import type { CheckState } from "../../model/facts/kueue.ts";
import { factEvidence } from "../fact-evidence.ts";
import type { Finding } from "../question.ts";
import { countInWords, listInWords, shellWord } from "../wording.ts";
import { conditionEvidence, conditionIn, describeWorkload, type KueueCase } from "./kueue-case.ts";

/**
 * Whether something else than quota keeps the workload out: it is switched off, its queue is missing, stopped or not
 * active, or an admission check has not let it through.
 */
export function heldByHand(one: KueueCase): Finding | undefined {
  return (
    deactivated(one) ?? queueMissing(one) ?? queueStopped(one) ?? queueInactive(one) ?? checksPending(one)
  );
}

function deactivated({ workload, who }: KueueCase): Finding | undefined {
  if (workload.active) return undefined;
  const evicted = conditionIn(workload, "Evicted");
  const why = evicted?.status === "True" ? evicted : undefined;
  const gaveUp = why !== undefined && /RequeuingLimitExceeded|PodsReady/i.test(why.reason + why.message);
  const off = factEvidence(workload, "spec.active", "false", why?.lastTransitionTime);
  const base = {
    evidence: why ? [off, conditionEvidence(workload, why)] : [off],
    next: [
      describeWorkload(workload),
      "Set spec.active to true once the cause is mended, so that it is queued again.",
    ],
  };
  if (gaveUp) {
    return {
      ...base,
      reason: "GangIncomplete",
      sure: { certainty: "high", why: "Kueue itself has written that it gave up" },
      sentence: `${who} is switched off: its pods did not all become ready in time, as often as Kueue tries.`,
      step: "Kueue gave up: its pods never were all ready",
    };
  }
  return {
    ...base,
    reason: "SchedulingGated",
    sure: { certainty: "high", why: "Kueue leaves out what is not active" },
    sentence: `${who} is switched off (spec.active is false): Kueue does not queue it.`,
    step: "spec.active is false",
  };
}

function queueMissing({ workload, who, localQueue, queue, fleet }: KueueCase): Finding | undefined {
  const { facts } = fleet;
  if (!localQueue && facts.localQueues.known) {
    const named = workload.queue === "" ? "no LocalQueue" : `LocalQueue ${workload.queue}`;
    const missing = workload.queue === "" ? "names no LocalQueue" : `waits in ${named}, which does not exist`;
    return {
      reason: "SchedulingGated",
      sure: { certainty: "high", why: "all LocalQueues are read" },
      evidence: [factEvidence(workload, "spec.queueName", workload.queue || "none")],
      sentence: `${who} ${missing} in ${workload.namespace}: nothing admits it.`,
      step: `${named} in ${workload.namespace}`,
      next: [
        `kubectl -n ${shellWord(workload.namespace)} get localqueues`,
        "Create that LocalQueue, or name another in the label kueue.x-k8s.io/queue-name.",
      ],
    };
  }
  if (!localQueue || queue || !facts.clusterQueues.known) return undefined;
  return {
    reason: "SchedulingGated",
    sure: { certainty: "high", why: "all ClusterQueues are read" },
    evidence: [factEvidence(localQueue, "spec.clusterQueue", localQueue.clusterQueue)],
    sentence: `${who} waits in LocalQueue ${localQueue.name}, whose ClusterQueue ${localQueue.clusterQueue} does not exist.`,
    step: `no ClusterQueue ${localQueue.clusterQueue}`,
    next: [
      "kubectl get clusterqueues",
      `Create ClusterQueue ${localQueue.clusterQueue}, or point the LocalQueue at another.`,
    ],
  };
}

function queueStopped({ who, localQueue, queue, workload }: KueueCase): Finding | undefined {
  const stopped = [localQueue, queue].find((one) => one !== undefined && one.stopPolicy !== "None");
  if (!stopped || workload.clusterQueue !== undefined) return undefined;
  return {
    reason: "SchedulingGated",
    sure: { certainty: "high", why: "a stopped queue admits nothing" },
    evidence: [factEvidence(stopped, "spec.stopPolicy", stopped.stopPolicy)],
    sentence: `${who} is held since ${stopped.kind} ${stopped.name} is stopped (${stopped.stopPolicy}).`,
    step: `${stopped.kind} ${stopped.name} is stopped`,
    next: [`Ask the owner of ${stopped.kind} ${stopped.name} when it is started again.`],
  };
}

function queueInactive({ who, localQueue, queue, workload }: KueueCase): Finding | undefined {
  if (workload.clusterQueue !== undefined) return undefined;
  for (const object of [queue, localQueue]) {
    const active = object && conditionIn(object, "Active");
    if (!object || active?.status !== "False") continue;
    const why = active.message || active.reason;
    return {
      reason: "SchedulingGated",
      sure: { certainty: "high", why: "a queue that is not active admits nothing" },
      evidence: [conditionEvidence(object, active)],
      sentence: `${who} is held since ${object.kind} ${object.name} is not active: ${why}.`,
      step: `${object.kind} ${object.name} is not active`,
      next: [`kubectl describe ${object.kind.toLowerCase()} ${shellWord(object.name)}`],
    };
  }
  return undefined;
}

/** https://kueue.sigs.k8s.io/docs/concepts/admission_check/ */
function checksPending({ workload, who, queue, fleet }: KueueCase): Finding | undefined {
  const open = workload.checks.filter(({ state }) => state !== "Ready");
  const [first] = [...open].sort((a, b) => rank(a) - rank(b));
  // Checks are asked once quota is reserved; a rejection stays.
  if (!first || (workload.clusterQueue === undefined && first.state === "Pending")) return undefined;
  const names = listInWords(open.map(({ name }) => name));
  const controllers = fleet.facts.admissionChecks.items
    .filter((check) => open.some(({ name }) => name === check.name))
    .map(({ controller }) => controller);
  const by = controllers.length > 0 ? ` (${listInWords([...new Set(controllers)])})` : "";
  const said = first.message === "" ? "" : `: “${first.message}”`;
  const what = {
    Pending: `waits for ${open.length > 1 ? "the admission checks" : "admission check"} ${names}${by}`,
    Retry: `was sent back by admission check ${first.name}${by} and waits to try again`,
    Rejected: `was rejected by admission check ${first.name}${by}`,
  }[first.state];
  const where = queue ? `ClusterQueue ${queue.name} has quota for it` : "it has its quota";
  return {
    reason: "SchedulingGated",
    sure: { certainty: "high", why: "Kueue starts nothing before every admission check is Ready" },
    evidence: open
      .slice(0, 3)
      .map((check) =>
        factEvidence(
          workload,
          `status.admissionChecks["${check.name}"]`,
          [check.state, check.message].filter((part) => part !== "").join(": "),
        ),
      ),
    sentence: `${who} ${what ?? `waits for admission check ${names}`}${said}${workload.clusterQueue === undefined ? "" : `; ${where}`}.`,
    step: `${countInWords(open.length, "admission check")} not Ready: ${names}`,
    next: [`kubectl describe admissioncheck ${shellWord(first.name)}`, describeWorkload(workload)],
    reads: ["admissionChecks"],
  };
}

function rank({ state }: CheckState): number {
  return ["Rejected", "Retry", "Pending"].indexOf(state);
}
