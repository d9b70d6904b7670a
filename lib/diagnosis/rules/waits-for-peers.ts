import { podEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { containerFinding, introOf, isReady } from "../runtime/container-failure.ts";
import { timesIn } from "../runtime/log-of-pod.ts";
import { gangOf } from "../runtime/siblings.ts";
import { countInWords, cutText, timeInWords } from "../wording.ts";

/** Ranks meet within minutes, also where the last one still pulls its image. */
const NORMAL_MEETING_MS = 30 * 60_000;

/**
 * What a program prints just before it waits for the others of its job: PyTorch's store and torchrun, DeepSpeed,
 * Megatron, JAX, Horovod and MPI launchers.
 */
const MEETS =
  /Waiting in store based barrier|Rendezvous'ing worker group|Initializing TorchBackend in DeepSpeed|> ?initializing torch distributed|Connecting to JAX distributed service|\bwaiting for (all |the |other |remaining )*(workers?|ranks?|peers?|nodes?|hosts?|process(es)?|participants?|clients?)\b/i;

/** What NCCL prints just before the first collective, where it is asked to say so much. */
const HAS_MET = /NCCL INFO .*(Launch mode \w+|Init COMPLETE|Connected all (rings|trees))/;

/** The last that a container has printed, long ago, is that it meets the others of its job. */
export const waitsForPeers: Rule<Question> = ({ pod, fleet, now, logs }) => {
  if (!isReady(pod)) return undefined;
  const gang = gangOf(pod, fleet);
  // One that does not run explains it better.
  if (gang.length < 2 || gang.some(({ phase }) => phase !== "Running")) return undefined;
  for (const container of pod.containers) {
    if (container.state.kind !== "running" || container.init) continue;
    const text = logs(pod.namespace, pod.name, container.name) ?? "";
    const line = text.split(/[\r\n]+/).findLast((one) => one.trim() !== "");
    const hasMet = HAS_MET.test(line?.slice(0, 2_000) ?? "");
    if (line === undefined || !(hasMet || MEETS.test(line.slice(0, 2_000)))) continue;
    const since = timesIn(text).at(-1) ?? container.state.startedAt;
    if (since === undefined || now - since < NORMAL_MEETING_MS) continue;
    const finding = containerFinding("Hung", pod, container);
    const at = timeInWords(since, now);
    return {
      ...finding,
      sure: hasMet
        ? { certainty: "low", why: "its log ends before its first collective, or it prints nothing later" }
        : {
            certainty: "medium",
            why: "its log ends where it meets the others of its job, with no error since",
          },
      evidence: [podEvidence(pod, `log of ${container.name}`, line.trim(), since), ...finding.evidence],
      sentence: `${introOf(pod)} its container ${container.name} has waited for ${countInWords(gang.length - 1, "other pod")} of its job since ${at}: “${cutText(line.trim(), 160)}”.`,
      step: `container ${container.name} has waited for its peers since ${at}`,
      next: [
        "Look at which rank is missing and why: its address, port and world size, a network policy or a sidecar in between.",
        ...finding.next,
      ],
      gang: { placed: gang.length, size: gang.length },
    };
  }
  return undefined;
};
