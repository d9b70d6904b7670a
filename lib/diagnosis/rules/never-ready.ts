import type { ContainerRecord } from "../../model/kubernetes.ts";
import { conditionOf, eventEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { containerFinding, introOf } from "../runtime/container-failure.ts";
import { lastWords } from "../runtime/read-log.ts";
import { cutText, timeInWords } from "../wording.ts";

/** Even the largest models are loaded in that time. */
const NORMAL_LOAD_MS = 45 * 60_000;

/** How long its startup probe lets it load: who wrote that knows better. */
function ownLoadMs({ startupProbe: probe }: ContainerRecord): number {
  return probe ? (probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold) * 1000 : 0;
}

/** A container runs, has never crashed, and is not Ready long after anything would have been loaded. */
export const neverReady: Rule<Question> = ({ pod, fleet, now, logs }) => {
  const ready = conditionOf(pod, "Ready");
  if (pod.phase !== "Running" || ready?.status !== "False") return undefined;
  const container = pod.containers.find(
    ({ state, ready: isUp, init }) => !init && state.kind === "running" && !isUp,
  );
  if (container?.state.kind !== "running") return undefined;
  const since = Math.max(container.state.startedAt ?? 0, ready.lastTransitionTime ?? 0);
  if (since === 0 || now - since < Math.max(NORMAL_LOAD_MS, ownLoadMs(container))) return undefined;
  const probe = fleet.events.ofPod(pod.namespace, pod.name).find(({ reason }) => reason === "Unhealthy");
  const finding = containerFinding("Hung", pod, container);
  const words = lastWords(logs(pod.namespace, pod.name, container.name) ?? "") || probe?.message || "";
  return {
    ...finding,
    sure: { certainty: "low", why: "it runs and is not Ready; why it does not come up is not known" },
    evidence: [...finding.evidence, ...(probe ? [eventEvidence(probe)] : [])],
    sentence: `${introOf(pod)} its container ${container.name} runs and has not been Ready since ${timeInWords(since, now)}${words ? `: ${cutText(words, 160)}` : ""}.`,
    step: `container ${container.name} runs and is not Ready`,
  };
};
