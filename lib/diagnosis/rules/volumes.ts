import { butAtMost, butUnread } from "../certainty.ts";
import { podEvidence } from "../evidence.ts";
import type { NodeFit } from "../placement/node-fit.ts";
import { isWithin, type VolumeReach, volumeReaches, withinVolumes } from "../placement/volume-reach.ts";
import type { Finding, PlacementQuestion, Rule, Sure } from "../question.ts";
import type { Evidence } from "../verdict.ts";
import { listInWords, shellWord, topologyInWords } from "../wording.ts";

/** A node has room by its requests, and a volume of the pod cannot be used there. */
export const volumeZoneConflict: Rule<PlacementQuestion> = (question) => {
  const { pod, placement, words, fleet } = question;
  const { roomy } = placement;
  if (roomy.length === 0) return undefined;
  const reaches = volumeReaches(pod, fleet);
  const pinned = reaches.filter((reach) => reach.kind === "terms");
  if (withinVolumes(pod, roomy, fleet).length > 0) {
    const isRead = pinned.length > 0 && pinned.length === pod.volumeClaims.length;
    return !isRead && SAYS_ZONE.test(words?.refusal ?? "") ? saidOnly(question) : undefined;
  }
  const isSaid = SAYS_ZONE.test(words?.refusal ?? "") || SAYS_UNBOUND.test(words?.refusal ?? "");
  const binding = pinned.find(({ terms }) => !roomy.some((fit) => isWithin(terms, fit.facts.node.record)));
  const claims = binding ? [binding] : pinned;
  const where =
    listInWords([...new Set(claims.flatMap(({ terms }) => terms.map(termInWords)))]) || "another place";
  const names = listInWords(claims.map(({ claim }) => claim.name));
  const sure: Sure = isSaid
    ? { certainty: "high", why: "the volume's node affinity and the scheduler's message agree" }
    : {
        certainty: "medium",
        why: "the volume's node affinity shows it; the scheduler's message names other reasons",
      };
  return {
    reason: "VolumeZoneConflict",
    sure,
    evidence: [...claims.map(volumeEvidence), ...(words?.evidence ?? [])],
    sentence: `${pod.name} would fit on ${listRoomy(placement.roomy)}, but its volume ${names} can only be used ${where.startsWith("node ") ? "on" : "in"} ${where}.`,
    step: `${listRoomy(placement.roomy)} has room, the volume is tied to ${where}`,
    next: nextOf(question),
    reads: ["volumeClaims", "volumes", "storageClasses"],
  };
};

/** kube-scheduler, and older versions of its volume plugins. */
const SAYS_ZONE = /volume node affinity conflict|no available volume zone/;

/** The volumes cannot be read: only the scheduler's message says where they are. */
function saidOnly(question: PlacementQuestion): Finding {
  const { pod, placement, words, fleet } = question;
  const claims = listInWords(pod.volumeClaims) || "its volume";
  const sure: Sure = { certainty: "medium", why: "the scheduler says so" };
  return {
    reason: "VolumeZoneConflict",
    sure: butUnread(sure, ["volumeClaims", "volumes"], fleet.facts),
    evidence: [...(words?.evidence ?? []), ...claimEvidence(question)],
    sentence: `${pod.name} would fit on ${listRoomy(placement.roomy)}, but ${claims} can only be used elsewhere: the scheduler reports a volume node affinity conflict.`,
    step: `${listRoomy(placement.roomy)} has room, the volume is elsewhere`,
    next: nextOf(question),
  };
}

function nextOf({ pod }: PlacementQuestion): readonly string[] {
  return [
    ...pod.volumeClaims.map(
      (claim) => `kubectl -n ${shellWord(pod.namespace)} describe pvc ${shellWord(claim)}`,
    ),
    "Use a volume in the zone of the free GPUs, or free GPUs in the volume's zone.",
  ];
}

function termInWords({
  matchExpressions,
  matchFields,
}: Extract<VolumeReach, { kind: "terms" }>["terms"][number]) {
  return [...matchExpressions, ...matchFields]
    .map(({ key, values }) => `${topologyInWords(key)} ${listInWords(values)}`)
    .join(" and ");
}

function volumeEvidence({ claim, terms }: Extract<VolumeReach, { kind: "terms" }>): Evidence {
  const where = terms.map(termInWords).join(" or ");
  return claim.volumeName === undefined
    ? {
        object: { kind: "StorageClass", name: claim.storageClass ?? "default" },
        field: "allowedTopologies",
        value: where,
        at: claim.createdAt,
      }
    : {
        object: { kind: "PersistentVolume", name: claim.volumeName },
        field: "spec.nodeAffinity.required",
        value: `${where} (claim ${claim.name})`,
        at: claim.createdAt,
      };
}

/** There is room, and a claim of the pod has no volume and gets none. */
export const volumeUnbound: Rule<PlacementQuestion> = (question) => {
  const { pod, placement, words, fleet } = question;
  if (placement.roomy.length === 0) return undefined;
  const reaches = volumeReaches(pod, fleet);
  const missing = reaches.find((reach) => reach.kind === "missing");
  if (missing && /persistentvolumeclaim .* not found/i.test(words?.refusal ?? "")) {
    return {
      reason: "ContainerConfigError",
      sure: { certainty: "high", why: "the claim does not exist, and the scheduler says so" },
      evidence: [...claimEvidence(question), ...(words?.evidence ?? [])],
      sentence: `${pod.name} would fit on ${listRoomy(placement.roomy)}, but mounts the volume claim ${missing.name}, which does not exist.`,
      step: `volume claim ${missing.name} does not exist`,
      next: [`kubectl -n ${shellWord(pod.namespace)} get pvc`],
      reads: ["volumeClaims"],
    };
  }
  const unbound = reaches.find((reach) => reach.kind === "unbound");
  const isSaid = SAYS_UNBOUND.test(words?.refusal ?? "");
  if (!unbound && !(isSaid && reaches.length < pod.volumeClaims.length)) return undefined;
  const name = unbound?.claim.name ?? listInWords(pod.volumeClaims);
  const why = unbound?.why ?? "the scheduler says that it is not bound";
  const failure = fleet.events
    .of("PersistentVolumeClaim", pod.namespace, name)
    .find((event) => event.type === "Warning");
  const sure: Sure = { certainty: "high", why: "the claim and the scheduler's message agree" };
  return {
    reason: "OtherResourcesExhausted",
    sure: isSaid ? sure : butAtMost(sure, "medium", "the scheduler's message names other reasons"),
    evidence: [
      {
        object: { kind: "PersistentVolumeClaim", namespace: pod.namespace, name },
        field: "status.phase",
        value: `${unbound?.claim.phase ?? "unknown"}: ${why}`,
        at: unbound?.claim.createdAt,
      },
      ...(failure
        ? [
            {
              object: failure.about,
              field: undefined,
              value: `${failure.reason}: ${failure.message}`,
              at: failure.lastAt,
            },
          ]
        : []),
      ...(words?.evidence ?? []),
    ],
    sentence: `${pod.name} would fit on ${listRoomy(placement.roomy)}, but its volume claim ${name} has no volume: ${failure?.message || why}.`,
    step: `volume claim ${name} is not bound`,
    next: [`kubectl -n ${shellWord(pod.namespace)} describe pvc ${shellWord(name)}`],
    reads: ["volumeClaims", "volumes", "storageClasses"],
  };
};

const SAYS_UNBOUND =
  /unbound (immediate )?PersistentVolumeClaims|didn't find available persistent volumes to bind|max volume count|not enough free storage/;

function listRoomy(roomy: readonly NodeFit[]): string {
  return listInWords(roomy.map((fit) => fit.facts.node.record.name));
}

function claimEvidence({ pod }: PlacementQuestion): Finding["evidence"] {
  return pod.volumeClaims.length === 0
    ? []
    : [podEvidence(pod, "spec.volumes[].persistentVolumeClaim", pod.volumeClaims.join(", "))];
}
