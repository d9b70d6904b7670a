import type { Fleet } from "../../layers/fleet.ts";
import { gpuShareOf } from "../../layers/gpu-share.ts";
import { isSharePart } from "../../model/accelerators.ts";
import type { EventRecord, PodRecord } from "../../model/kubernetes.ts";
import { eventEvidence, nodeEvidence, podEvidence } from "../evidence.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { amountInWords, listInWords, shellWord } from "../wording.ts";
import { tenantsOf } from "./overcommit.ts";

/**
 * A part of a device is asked for, nodes have devices for it by their number, and the extender that knows the parts finds
 * none: HAMi and its like. https://project-hami.io/docs/ (reasons why a pod is not scheduled)
 */
export const sharedDevicesTaken: Rule<PlacementQuestion> = ({ pod, ask, placement, words, fleet }) => {
  const parts = Object.entries(pod.requests).filter(([name, amount]) => amount > 0 && isSharePart(name));
  if (placement.roomy.length === 0 || parts.length === 0) return undefined;
  const refusals = refusalsOf(pod, fleet);
  const event = refusals.find((one) => CARD.test(one.message)) ?? refusals[0];
  const card = CARD.exec(event?.message ?? "")?.[0] ?? CARD.exec(words?.refusal ?? "")?.[0];
  // Older versions only count the nodes that do not do.
  const said = card ?? event?.message;
  if (said === undefined) return undefined;
  const spread = /AllocatedCardsInsufficientRequest|Numa/.test(said);
  const wanted = parts.map(([name, amount]) => amountInWords(name, amount));
  return {
    reason: spread ? "GpusFragmented" : "GpusBusy",
    sure: {
      certainty: card === undefined ? "low" : "medium",
      why: "the scheduler's extender says so; what is left of each device is not read",
    },
    evidence: [...(event ? [eventEvidence(event)] : []), ...(words?.evidence ?? [])],
    sentence: `${pod.name} needs ${ask.words} with ${listInWords(wanted)}: ${spread ? "no node has enough devices with that much left" : "no device has that much left"} (${said}).`,
    step: `no device has ${listInWords(wanted)} left`,
    next: [
      `kubectl -n ${shellWord(pod.namespace)} get events --field-selector involvedObject.name=${shellWord(pod.name)}`,
      "Ask for a smaller part, or wait until a tenant of a device ends.",
    ],
  };
};

/**
 * Every share comes from a device of its own, and no node has as many devices, or none with so much memory.
 * https://project-hami.io/docs/userguide/nvidia-device/specify-device-memory-usage
 */
export const sharedDeviceNeverFits: Rule<PlacementQuestion> = ({ pod, ask, placement, words, fleet }) => {
  const [event] = refusalsOf(pod, fleet);
  const [resource = "", shares = 0] = ask.accelerators[0] ?? [];
  const memory = pod.requests["nvidia.com/gpumem"] ?? 0;
  const [first] = placement.candidates;
  if (!event || !first) return undefined;
  const devices = Math.max(...placement.candidates.map(({ facts }) => facts.node.gpus.physical));
  const sizes = placement.candidates.map(({ facts }) => memoryOf(facts.node.record.labels));
  const largest = Math.max(...sizes);
  const isShared = placement.candidates.every(
    ({ facts }) => (facts.node.gpus.unitsPerDevice[resource] ?? 1) > 1,
  );
  const { name } = first.facts.node.record;
  const lacks =
    isShared && shares > devices
      ? `its ${shares} shares have to lie on ${shares} devices, and no node has more than ${devices}`
      : memory > largest
        ? `it asks for ${memory} MiB of one device, and none has more than ${largest}`
        : saysTooFewDevices([words?.refusal ?? "", event.message])
          ? `its ${shares} shares have to lie on as many devices, and no node has so many`
          : undefined;
  if (lacks === undefined) return undefined;
  return {
    reason: "RequestNeverFits",
    sure: { certainty: "high", why: "the devices of the nodes and the refusal of the extender agree" },
    pool: first.facts.node.poolId,
    evidence: [
      nodeEvidence(
        first.facts.node.record,
        "metadata.labels",
        `${devices} devices${largest < Number.POSITIVE_INFINITY ? ` of ${largest} MiB` : ""}`,
      ),
      eventEvidence(event),
      ...(words?.evidence ?? []),
    ],
    sentence: `${pod.name} needs ${ask.words} and can never be placed as it is written: ${lacks}.`,
    step: lacks,
    next: ["Ask for fewer shares, or for less memory of each.", `kubectl describe node ${shellWord(name)}`],
  };
};

/**
 * Every node was refused for the number of its devices, which is looked at before what is left of each.
 * https://project-hami.io/docs/ (reasons why a pod is not scheduled)
 */
function saysTooFewDevices(refusals: readonly string[]): boolean {
  const reasons = refusals.flatMap((text) => text.match(new RegExp(CARD, "g")) ?? []);
  return reasons.length > 0 && reasons.every((one) => one === "NodeInsufficientDevice");
}

/** MiB of one device as feature discovery writes it; any amount where it does not. */
function memoryOf(labels: Readonly<Record<string, string>>): number {
  const memory = Number(labels["nvidia.com/gpu.memory"] ?? Number.NaN);
  return memory > 0 ? memory : Number.POSITIVE_INFINITY;
}

/** What the extender of the scheduler says of a pod that it finds no node for. */
function refusalsOf({ namespace, name }: PodRecord, fleet: Fleet): readonly EventRecord[] {
  return fleet.events.ofPod(namespace, name).filter(({ reason }) => reason === "FilteringFailed");
}

/**
 * A part of a device that others share would hold the pod: all devices are taken as wholes, and still it fits.
 * https://github.com/NVIDIA/KAI-Scheduler/tree/main/docs/gpu-sharing
 */
export const sharedDeviceFits: Rule<PlacementQuestion> = ({ pod, placement, fleet, words }) => {
  const share = gpuShareOf(pod);
  if (share?.fraction === undefined || share.devices > 1 || placement.roomy.length > 0) return undefined;
  const part = share.fraction;
  const names = new Set(
    placement.open
      .filter((fit) => fit.shortages.every((shortage) => shortage.accelerator))
      .map((fit) => fit.facts.node.record.name),
  );
  const found = [...tenantsOf(fleet).values()].find((tenants) => {
    const node = tenants[0]?.pod.nodeName;
    const used = tenants.reduce((sum, tenant) => sum + (tenant.share.fraction ?? 1), 0);
    return node !== undefined && names.has(node) && used + part <= 1.001;
  });
  const first = found?.[0];
  if (!found || !first) return undefined;
  return {
    reason: "SchedulerDelay",
    sure: { certainty: "low", why: "a shared device has room by the parts that its pods were given" },
    pool: fleet.nodes.get(first.pod.nodeName ?? "")?.poolId,
    evidence: [
      podEvidence(first.pod, 'metadata.annotations["gpu-fraction"]', String(first.share.fraction)),
      ...(words?.evidence ?? []),
    ],
    sentence: `${pod.name} asks for ${part} of a GPU and fits beside ${listInWords(found.map((tenant) => tenant.pod.name))} on ${first.pod.nodeName}, and ${pod.schedulerName} has not placed it yet.`,
    step: "a shared GPU has room and it is not placed",
    next: [`kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`],
  };
};

/**
 * Parts of devices are asked for at kube-scheduler itself, which takes them for resources of nodes: the webhook that hands
 * such pods to the scheduler that knows the parts has not seen this one.
 * https://project-hami.io/docs/core-concepts/architecture/
 */
export const sharesAtDefaultScheduler: Rule<PlacementQuestion> = ({ pod, ask, placement, words }) => {
  const lacking = Object.keys(pod.requests).filter(
    (name) => isSharePart(name) && words?.refusal.includes(`Insufficient ${name}`),
  );
  const isSharing = placement.roomy.length > 0 && pod.schedulerName === "default-scheduler";
  if (!isSharing || lacking.length === 0) return undefined;
  return {
    reason: "SchedulerAbsent",
    sure: {
      certainty: "medium",
      why: "no node has such a resource; an extender or its own scheduler reads it",
    },
    pool: placement.roomy[0]?.facts.node.poolId,
    evidence: [
      podEvidence(pod, "spec.schedulerName", pod.schedulerName, pod.createdAt),
      ...(words?.evidence ?? []),
    ],
    sentence: `${pod.name} asks for ${ask.words} with ${listInWords(lacking)}, which only the scheduler of shared GPUs knows, but ${pod.schedulerName} has it and looks for that on the nodes in vain.`,
    step: `${pod.schedulerName} does not know ${listInWords(lacking)}`,
    next: [
      "See whether the sharing scheduler and its webhook run, and whether the webhook leaves out this namespace or pod.",
      "kubectl get mutatingwebhookconfigurations",
      "Make the pod again once they do: the scheduler is set when it is made.",
    ],
  };
};

const CARD =
  /Card(?:InsufficientMemory|InsufficientCore|TimeSlicingExhausted|ComputeUnitsExhausted)|ExclusiveDeviceAllocateConflict|AllocatedCardsInsufficientRequest|NumaNotFit|NodeInsufficientDevice/;
