import { butAtMost } from "../certainty.ts";
import { podEvidence } from "../evidence.ts";
import type { Finding, PlacementQuestion, Rule } from "../question.ts";
import { listInWords, shellWord } from "../wording.ts";

/** A node has room by its requests, and the scheduler says that the pod's volume is elsewhere. */
export const volumeZoneConflict: Rule<PlacementQuestion> = (question) => {
  const { pod, placement, words } = question;
  if (placement.roomy.length === 0 || !words || !/volume node affinity conflict/.test(words.refusal)) {
    return undefined;
  }
  const claims = listInWords(pod.volumeClaims) || "its volume";
  return {
    reason: "VolumeZoneConflict",
    sure: { certainty: "medium", why: "the scheduler says so; volumes are not read" },
    evidence: [...words.evidence, ...claimEvidence(question)],
    sentence: `${pod.name} would fit on ${roomyNodes(question)}, but ${claims} can only be used elsewhere: the scheduler reports a volume node affinity conflict.`,
    step: `${roomyNodes(question)} has room, the volume is elsewhere`,
    next: [
      ...pod.volumeClaims.map(
        (claim) => `kubectl -n ${shellWord(pod.namespace)} describe pvc ${shellWord(claim)}`,
      ),
      "Use a volume in the zone of the free GPUs, or free GPUs in the volume's zone.",
    ],
  };
};

/** A node has room by its requests, and affinity, anti-affinity or spread against other pods rules it out. */
export const topologyUnsatisfied: Rule<PlacementQuestion> = (question) => {
  const { pod, placement, words } = question;
  if (placement.roomy.length === 0 || !words) return undefined;
  const refused = SAYS_TOPOLOGY.exec(words.refusal)?.[0];
  if (refused === undefined) return undefined;
  const sure = { certainty: "high", why: "the pod's own rules and the scheduler's message agree" } as const;
  return {
    reason: "TopologyUnsatisfied",
    sure: pod.hasPodPlacementRules
      ? sure
      : butAtMost(sure, "medium", "the rules are not the pod's own, only the scheduler's message shows them"),
    evidence: words.evidence,
    sentence: `${pod.name} would fit on ${roomyNodes(question)}, but the scheduler reports “${refused}”: its place is ruled out by pods that are placed already.`,
    step: `${roomyNodes(question)} has room, placement rules between pods forbid it`,
    next: [
      `kubectl -n ${shellWord(pod.namespace)} get pod ${shellWord(pod.name)} -o jsonpath='{.spec.affinity}{.spec.topologySpreadConstraints}'`,
    ],
  };
};

/** What kube-scheduler prints for rules between pods. */
const SAYS_TOPOLOGY =
  /didn't match pod (anti-)?affinity( rules)?|didn't match pod topology spread constraints|didn't satisfy existing pods anti-affinity rules|pod affinity\/anti-affinity/;

function roomyNodes({ placement }: PlacementQuestion): string {
  return listInWords(placement.roomy.map((fit) => fit.facts.node.record.name));
}

function claimEvidence({ pod }: PlacementQuestion): Finding["evidence"] {
  return pod.volumeClaims.length === 0
    ? []
    : [podEvidence(pod, "spec.volumes[].persistentVolumeClaim", pod.volumeClaims.join(", "))];
}
