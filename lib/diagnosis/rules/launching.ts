import { NORMAL_LAUNCH_MS } from "../autoscalers/launch-state.ts";
import { launchesOf } from "../autoscalers/launches.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { countInWords, shellWord, timeInWords } from "../wording.ts";

/** A machine is on its way, within the time that this normally takes. */
export const nodeLaunching: Rule<PlacementQuestion> = (question) => {
  const { pod, ask, placement, now } = question;
  if (placement.roomy.length > 0) return undefined;
  const [launch] = [...launchesOf(question).running].sort((a, b) => Number(b.own) - Number(a.own));
  if (!launch) return undefined;
  const since = timeInWords(launch.since, now);
  const limit = timeInWords(launch.since + NORMAL_LAUNCH_MS, now);
  return {
    reason: "NodeLaunching",
    sure: launch.own
      ? { certainty: "high", why: "the autoscaler itself says that it launches a node for this pod" }
      : { certainty: "medium", why: "a node is launched that could take it, perhaps for other pods" },
    evidence: [launch.evidence],
    sentence: `${pod.name} needs ${ask.words}, and a node for it is being launched since ${since} (${launch.what}): within the normal time.`,
    step: `${launch.what} launching since ${since}`,
    next: [`Wait until ${limit}; a node that has not joined by then will not.`],
    reads: ["nodeClaims"],
  };
};

/** A machine was launched, is paid for, and has not become a node. */
export const nodeNotRegistered: Rule<PlacementQuestion> = (question) => {
  const { pod, ask, placement, now } = question;
  const { running, late } = launchesOf(question);
  if (placement.roomy.length > 0 || running.length > 0) return undefined;
  const [launch] = [...late].sort((a, b) => Number(b.own) - Number(a.own) || a.since - b.since);
  if (!launch) return undefined;
  const since = timeInWords(launch.since, now);
  const minutes = countInWords(Math.round((now - launch.since) / 60_000), "minute");
  const machine = launch.claim?.providerId;
  return {
    reason: "NodeNotRegistered",
    sure: launch.claim
      ? { certainty: "high", why: "the machine's own object says that it runs and has no node" }
      : { certainty: "medium", why: "the cloud was asked for the machine; whether it runs is not read" },
    evidence: [launch.evidence],
    sentence: `${pod.name} needs ${ask.words}: ${launch.what} was launched at ${since}, ${minutes} ago, and has never joined the cluster.`,
    step: `${launch.what} launched at ${since}, no node since`,
    next: [
      ...(launch.claim ? [`kubectl describe nodeclaim ${shellWord(launch.claim.name)}`] : []),
      `Read the boot log of ${machine ?? "the machine"}: its kubelet does not reach, or is not let into, the cluster (network path, node role, bootstrap data).`,
    ],
    reads: ["nodeClaims"],
  };
};
