import type { NodeClassReservation } from "../../model/facts/karpenter.ts";
import { isReservedOnly, launchesOf, nodeClassOf } from "../autoscalers/launches.ts";
import { factEvidence } from "../fact-evidence.ts";
import type { Finding, PlacementQuestion, Rule } from "../question.ts";
import { listInWords, shellWord } from "../wording.ts";

/** Node classes that list the reservations that they may launch into. https://karpenter.sh/docs/tasks/odcrs/ */
const LISTS_RESERVATIONS = /^(EC2NodeClass|NodeClass)$/;

/**
 * Every pool that could serve the pod launches into reservations only, and by its node class none is there that would be
 * of use: what the reservations themselves say is asked before.
 */
export const noReservationLeft: Rule<PlacementQuestion> = (question) => {
  const { pod, ask, placement, fleet } = question;
  const launches = launchesOf(question);
  if (placement.candidates.length > 0 || launches.running.length > 0 || !isReservedOnly(launches)) {
    return undefined;
  }
  const lists = launches.serving.flatMap((offer) => {
    const nodeClass = nodeClassOf(offer.pool, fleet.facts.nodeClasses.items);
    if (!nodeClass || !LISTS_RESERVATIONS.test(nodeClass.kind)) return [];
    const types = new Set(offer.types.map(({ name }) => name));
    const fitting = nodeClass.capacityReservations.filter(({ instanceType }) => types.has(instanceType));
    return [{ pool: offer.pool, nodeClass, fitting }];
  });
  const [first] = lists;
  const fitting = lists.flatMap((one) => one.fitting);
  if (!first || lists.length < launches.serving.length || fitting.some(isActive)) return undefined;
  const { pool, nodeClass } = first;
  const ending = fitting.map(({ id }) => id);
  const which =
    ending.length > 0
      ? `${listInWords(ending)} ${ending.length === 1 ? "is" : "are"} about to end`
      : `it has none for ${listInWords([...new Set(launches.serving.flatMap(({ types }) => types.map(({ name }) => name)))])}`;
  const what = `${pool.name} may launch into reservations only, and by its node class ${nodeClass.name} ${which}`;
  const list = nodeClass.capacityReservations.map(
    ({ id, instanceType, state }) => `${id} (${instanceType}, ${state})`,
  );
  return {
    reason: ending.length > 0 ? "ReservationEnded" : "NoCapacitySource",
    sure:
      ending.length > 0
        ? { certainty: "high", why: "the node class says so itself" }
        : {
            certainty: "medium",
            why: "the node class lists none; whether it has ended, not begun, or is not selected is not read",
          },
    pool: fleet.pools.some(({ id }) => id === `node-pool/${pool.name}`)
      ? `node-pool/${pool.name}`
      : undefined,
    evidence: [
      factEvidence(nodeClass, "status.capacityReservations", list.length > 0 ? list.join(", ") : "none"),
    ],
    sentence: `${pod.name} needs ${ask.words}, and ${what}.`,
    step: what,
    next: nextSteps(nodeClass.kind, nodeClass.name, pool.name),
    reads: ["nodePools", "nodeClasses"],
  } satisfies Finding;
};

const isActive = ({ state }: NodeClassReservation): boolean => state !== "expiring";

function nextSteps(kind: string, nodeClass: string, pool: string): readonly string[] {
  return [
    `Get a reservation that is usable now and is selected by capacityReservationSelectorTerms of ${nodeClass}; or let ${pool} launch on-demand.`,
    `kubectl get ${kind.toLowerCase()} ${shellWord(nodeClass)} -o jsonpath='{.status.capacityReservations}'`,
  ];
}
