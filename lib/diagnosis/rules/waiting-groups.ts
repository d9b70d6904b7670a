import type { Fleet } from "../../layers/fleet.ts";
import { gpusAsked } from "../../layers/gpus-asked.ts";
import type { PodGroupRecord } from "../../model/facts/gangs.ts";
import { eventEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { Finding, SubjectFinding, SubjectRule } from "../question.ts";
import { groupNames } from "../queues/gangs.ts";
import { conditionEvidence } from "../queues/kueue-case.ts";
import { queueRefusal } from "../queues/queue-limits.ts";
import { shellWord } from "../wording.ts";
import { holdingsOf } from "./queue-limit.ts";

/** A group that the scheduler has not let in yet is in progress for this long. */
const NORMAL_QUEUEING_MS = 30_000;

/**
 * Groups that have no pods: Volcano's controller makes the pods of a job once its group is let into the queue.
 * https://volcano.sh/en/docs/podgroup/ (phase Pending)
 */
export const waitingGroups: SubjectRule = (fleet, now) =>
  fleet.facts.podGroups.items.flatMap((group): SubjectFinding[] => {
    if (group.deletedAt !== undefined || !/^(Pending|Inqueue|)$/.test(group.phase)) return [];
    if (!fleet.podsKnown || groupNames(fleet).has(`${group.namespace}/${group.name}`)) return [];
    if (group.createdAt !== undefined && now - group.createdAt < NORMAL_QUEUEING_MS) return [];
    const gpus = gpusOf(group, fleet);
    if (gpus === 0 || ownersDone(fleet).has(group.owner?.uid ?? "")) return [];
    return [{ ...whyNotLetIn(group, fleet), object: group, gpus, since: sinceOf(group) }];
  });

function gpusOf({ minResources }: PodGroupRecord, { acceleratorNames }: Fleet): number {
  if (!minResources) return 0;
  return gpusAsked({ requests: minResources, annotations: {}, labels: {} }, acceleratorNames);
}

/** Uids of objects that want no pods: their groups stay behind. */
const ownersDone = perFleet(({ facts }) => {
  const done = facts.controllers.items.filter(({ finished, suspended }) => finished || suspended);
  return new Set(done.map(({ uid }) => uid));
});

function whyNotLetIn(group: PodGroupRecord, fleet: Fleet): Finding {
  const events = fleet.events.of("PodGroup", group.namespace, group.name);
  const condition = group.conditions.find(
    ({ type, status }) => type === "Unschedulable" && status === "True",
  );
  const says = condition ? [conditionEvidence(group, condition)] : events.slice(0, 1).map(eventEvidence);
  const size = group.minMember ?? 1;
  const isVolcano = group.apiVersion.startsWith("scheduling.volcano.sh");
  const name = group.owner?.name ?? group.name;
  const refusal = queueRefusal(
    {
      asks: `${name} asks`,
      name,
      family: isVolcano ? "scheduling.volcano.sh" : "scheduling.run.ai",
      queue: group.queue || (isVolcano ? "default" : ""),
      asked: group.minResources ?? {},
      fixed: false,
      group,
      gang: size > 1 ? { placed: 0, size } : undefined,
      events,
      words: "",
      says,
    },
    fleet,
    holdingsOf(fleet),
  );
  if (refusal) return refusal;
  return {
    reason: "GangIncomplete",
    sure: {
      certainty: "medium",
      why: "its group has no pods and its scheduler has not let it in; what it counts as free is not read",
    },
    gang: { placed: 0, size },
    evidence: [factEvidence(group, "status.phase", group.phase || "none"), ...says],
    sentence: `${name} has no pods: its group ${group.name} of ${size} is not let into queue ${group.queue || "default"} before there is room for all of it.`,
    step: `group ${group.name} is ${group.phase || "not looked at"}, no pods are made`,
    next: [
      `kubectl -n ${shellWord(group.namespace)} describe podgroup ${shellWord(group.name)}`,
      "Free what it asks for in sum, or lower its minimum.",
    ],
    reads: ["podGroups", "queues"],
  };
}

function sinceOf({ conditions, createdAt }: PodGroupRecord): number | undefined {
  return conditions.find(({ type }) => type === "Unschedulable")?.lastTransitionTime ?? createdAt;
}
