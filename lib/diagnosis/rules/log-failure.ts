import { acceleratorUnit } from "../../model/accelerators.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import { nodeEvidence, podEvidence } from "../evidence.ts";
import type { Finding, Question, Rule, Sure } from "../question.ts";
import { containerFinding, containerInWords, introOf } from "../runtime/container-failure.ts";
import { logEvidence, type SaidByLog, saidByLog } from "../runtime/log-of-pod.ts";
import { gangOf } from "../runtime/siblings.ts";
import type { Evidence } from "../verdict.ts";
import { cutText, listInWords } from "../wording.ts";

/** How a reason is said, and what to do about it. `what` goes on after `its container NAME`. */
interface Words {
  readonly what: string;
  readonly next: readonly string[];
}

const WORDS: Readonly<Partial<Record<Reason, Words>>> = {
  CudaOutOfMemory: {
    what: "runs out of GPU memory",
    next: [
      "Make it need less: a smaller batch or context, quantised weights, more GPUs to spread the model over; or take a GPU with more memory.",
    ],
  },
  HostOutOfMemory: {
    what: "runs out of host memory",
    next: ["Raise its memory limit, or load less at once: fewer workers, smaller shards."],
  },
  SharedMemoryTooSmall: {
    what: "runs out of shared memory",
    next: ["Mount an emptyDir with medium Memory and a sizeLimit on /dev/shm."],
  },
  NcclTimeout: {
    what: "has lost a collective with its other ranks",
    next: [
      "Look for the rank that failed first, and at its node's network.",
      "Run it again with NCCL_DEBUG=INFO, or TORCH_NCCL_TRACE_BUFFER_SIZE set, to see which rank is missing.",
    ],
  },
  Hung: {
    what: "makes no progress",
    next: ["Look at which rank or thread the others wait for (py-spy dump), then at its node."],
  },
  ImageDriverMismatch: {
    what: "needs another driver or GPU than the node has",
    next: ["Use an image for the CUDA version that the node's driver has, or nodes with a newer driver."],
  },
  ModelAccessDenied: {
    what: "is refused a model, a data set or a licence",
    next: ["Give the account behind its token access, accept the licence, or mount a token that has it."],
  },
  LossDiverged: {
    what: "trains to a loss that is no number",
    next: ["Go back to a checkpoint before it, with a lower learning rate or another precision."],
  },
};

/** The container's last lines name what went wrong. */
export const logFailure: Rule<Question> = (question) => {
  const { pod } = question;
  const said = saidByLog(question, pod);
  const words = said && WORDS[said.reason];
  if (!said || !words) return undefined;
  const { container, line, reason } = said;
  const finding = containerFinding(reason, pod, container);
  const more = moreOf(question, said);
  const sure: Sure = sureOf(said, more);
  return {
    ...finding,
    sure,
    evidence: [logEvidence(pod, said), ...finding.evidence, ...more],
    sentence: `${introOf(pod)} its ${containerInWords(container)} ${words.what}${aside(question, said)}: “${cutText(line, 200)}”.`,
    step: `${containerInWords(container)} ${words.what}`,
    next: [...words.next, ...finding.next],
    gang: gangInWords(question),
  };
};

function gangInWords({ pod, fleet }: Question): Finding["gang"] {
  const gang = gangOf(pod, fleet);
  if (gang.length < 2) return undefined;
  return { placed: gang.filter(({ nodeName }) => nodeName !== undefined).length, size: gang.length };
}

function sureOf({ hasFailed, weight }: SaidByLog, more: readonly Evidence[]): Sure {
  if (!hasFailed) return { certainty: "medium", why: "its log says so while it runs on" };
  if (weight === "cause") {
    return {
      certainty: "high",
      why: `its log says so, and it has failed${more.length > 0 ? "; the objects agree" : ""}`,
    };
  }
  return { certainty: "medium", why: "its log tells how it ended, not what came first" };
}

function aside(question: Question, { reason }: SaidByLog): string {
  const { pod, ask, fleet } = question;
  if (reason === "CudaOutOfMemory") {
    const sharers = sharersOf(question).map(({ name }) => name);
    const shared = sharers.length > 0 ? `, a share of a card that ${listInWords(sharers)} may use too` : "";
    return ` on ${ask.words}${shared}`;
  }
  const size = gangOf(pod, fleet).length;
  if (/^(NcclTimeout|Hung)$/.test(reason) && size > 1) {
    return `, and with it all ${size} pods of its job, none of which is known to have failed before`;
  }
  if (reason !== "SharedMemoryTooSmall") return "";
  return pod.hasSharedMemoryVolume
    ? " (the volume on its /dev/shm is too small)"
    : " (nothing is mounted on its /dev/shm, which leaves 64 MiB)";
}

/**
 * Other pods on a node that hands out its cards several times over: their memory is not kept apart.
 * https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html
 */
function sharersOf({ pod, ask, fleet }: Question): readonly PodRecord[] {
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const [resource = ""] = ask.accelerators[0] ?? [];
  const unit = acceleratorUnit(resource, fleet.acceleratorNames)?.kind;
  if (!node || unit === "mig" || !((node.gpus.unitsPerDevice[resource] ?? 1) > 1)) return [];
  return node.pods.filter((one) => one.uid !== pod.uid && (one.requests[resource] ?? 0) > 0);
}

/** What the objects say of the same thing. */
function moreOf(question: Question, { reason, container }: SaidByLog): Evidence[] {
  const { pod, fleet } = question;
  if (reason === "SharedMemoryTooSmall" && !pod.hasSharedMemoryVolume) {
    return [podEvidence(pod, "spec.containers[].volumeMounts", "nothing on /dev/shm")];
  }
  if (reason !== "ImageDriverMismatch") return [];
  const node = fleet.nodes.get(pod.nodeName ?? "");
  if (!node) return [];
  const driver = Object.entries(node.record.labels).find(([key]) => DRIVER_LABEL.test(key));
  const works = worksWithOtherImage(question, container.image);
  return [
    ...(driver ? [nodeEvidence(node.record, `metadata.labels["${driver[0]}"]`, driver[1])] : []),
    ...(works
      ? [
          podEvidence(
            works,
            "spec.containers[].image",
            `${works.containers[0]?.image ?? ""} works on ${works.nodeName}`,
          ),
        ]
      : []),
  ];
}

/** https://github.com/NVIDIA/k8s-device-plugin/tree/main/docs/gpu-feature-discovery */
const DRIVER_LABEL =
  /^nvidia\.com\/cuda\.(driver-version\.full|driver\.major|runtime-version\.full|runtime\.major)$/;

/** A GPU pod with another image that works on the node, or on one of the same pool. */
function worksWithOtherImage({ pod, fleet }: Question, image: string): PodRecord | undefined {
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const isFine = (one: PodRecord) =>
    one.uid !== pod.uid &&
    one.nodeName !== undefined &&
    one.phase === "Running" &&
    one.containers.length > 0 &&
    one.containers.every((container) => container.ready && container.image !== image);
  return (
    node?.pods.find((one) => one.system === undefined && isFine(one)) ??
    fleet.gpuPods.find((one) => isFine(one) && fleet.nodes.get(one.nodeName ?? "")?.poolId === node?.poolId)
  );
}
