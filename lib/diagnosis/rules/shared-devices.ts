import { gpuShareOf } from "../../layers/gpu-share.ts";
import { isSharePart } from "../../model/accelerators.ts";
import { eventEvidence, podEvidence } from "../evidence.ts";
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
  const event = fleet.events
    .ofPod(pod.namespace, pod.name)
    .find((one) => one.reason === "FilteringFailed" && CARD.test(one.message));
  const said = CARD.exec(event?.message ?? "")?.[0] ?? CARD.exec(words?.refusal ?? "")?.[0];
  if (said === undefined) return undefined;
  const spread = /AllocatedCardsInsufficientRequest|Numa/.test(said);
  const wanted = parts.map(([name, amount]) => amountInWords(name, amount));
  return {
    reason: spread ? "GpusFragmented" : "GpusBusy",
    sure: {
      certainty: "medium",
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

const CARD =
  /Card(?:InsufficientMemory|InsufficientCore|TimeSlicingExhausted|ComputeUnitsExhausted)|ExclusiveDeviceAllocateConflict|AllocatedCardsInsufficientRequest|NumaNotFit|NodeInsufficientDevice/;
