import { type DevicePlugins, devicePluginsOf } from "../../layers/device-plugin.ts";
import type { FleetNode } from "../../layers/fleet.ts";
import { unitsInWords } from "../ask.ts";
import { butAtMost, sureBySchedulersWords } from "../certainty.ts";
import { containerEvidence, nodeEvidence, podEvidence, readyEvidence } from "../evidence.ts";
import { lossInWords, lossOfMany } from "../placement/considered.ts";
import type { Loss, NodeFit } from "../placement/node-fit.ts";
import type { PlacementQuestion, Rule, Sure } from "../question.ts";
import { containerState } from "../runtime/container-state.ts";
import type { Evidence } from "../verdict.ts";
import { countInWords, listInWords, shellWord, timeInWords } from "../wording.ts";

/**
 * No node has room now, and one whose GPUs are lost at L2 would have, were it mended; or every node that could run the
 * pod takes no new pods. The loss that makes room for most pods is the one to mend first.
 */
export const lostNodes: Rule<PlacementQuestion> = (question) => {
  const { placement } = question;
  if (placement.candidates.length === 0 || placement.roomy.length > 0) return undefined;
  const mended = placement.candidates.filter((fit) => fit.loss && fit.shortagesMended.length === 0);
  const lost = mended.length > 0 ? mended : placement.open.length === 0 ? placement.candidates : [];
  const [first, ...others] = byReason(lost, question);
  if (!first) return undefined;
  const { node, loss } = first;
  const reason = failingPlugin(node, loss) ? "DevicePluginDown" : loss.reason;
  return {
    reason,
    sure: sureOf(question, first, mended.length > 0),
    pool: node.poolId,
    evidence: [...evidenceOf(question, first), ...(question.words?.evidence ?? [])],
    sentence: sentenceOf(question, first, mended.length > 0),
    step: [first, ...others].map(({ fits, loss: one }) => lossOfMany(fits.length, one)).join(", "),
    next: [...stepsOf(node, loss), ...others.map(alsoLost)],
  };
};

/**
 * The device plugin that fails on a node which offers no GPU at all: one that never advertised any, or one whose
 * kubelet has set allocatable to 0 and keeps the capacity for five minutes, since its plugin is gone.
 */
function failingPlugin(node: FleetNode, loss: Loss): DevicePlugins["failing"] {
  const offersNone = loss.reason === "GpuUnhealthy" && node.gpus.allocatable === 0;
  return loss.reason === "GpuNotAdvertised" || offersNone ? devicePluginsOf(node).failing : undefined;
}

/** All nodes with the same kind of loss; `node` is the one to name. */
interface LostGroup {
  readonly node: FleetNode;
  readonly loss: Loss;
  readonly fits: readonly NodeFit[];
  /** Pods such as this one that would find room. */
  readonly room: number;
}

/** Where two losses cost the same: a fault before an operation that someone chose. */
const ORDER: readonly Loss["reason"][] = ["GpuNotAdvertised", "GpuUnhealthy", "NodeNotReady", "NodeCordoned"];

function byReason(lost: readonly NodeFit[], { ask }: PlacementQuestion): LostGroup[] {
  const asks = ask.accelerators[0]?.[1] ?? 1;
  const roomOf = (fit: NodeFit) => Math.max(1, Math.floor(fit.units.mended / asks));
  return ORDER.flatMap((reason) => {
    const fits = lost
      .filter((fit) => fit.loss?.reason === reason)
      .sort((a, b) => roomOf(b) - roomOf(a) || (a.loss?.since ?? 0) - (b.loss?.since ?? 0));
    const [first] = fits;
    if (!first?.loss) return [];
    const room = fits.reduce((sum, fit) => sum + roomOf(fit), 0);
    return [{ node: first.facts.node, loss: first.loss, fits, room }];
  }).sort((a, b) => b.room - a.room);
}

const SCHEDULER_SAYS: Readonly<Record<Loss["reason"], RegExp>> = {
  NodeNotReady: /node\.kubernetes\.io\/(not-ready|unreachable)|not ready|untolerated taint\(s\)/,
  NodeCordoned: /unschedulable|taint/,
  GpuNotAdvertised: /Insufficient/,
  GpuUnhealthy: /Insufficient/,
};

function sureOf({ words, placement }: PlacementQuestion, group: LostGroup, makesRoom: boolean): Sure {
  let sure = sureBySchedulersWords(words, SCHEDULER_SAYS[group.loss.reason]);
  if (group.fits.some((fit) => fit.units.guessed)) {
    sure = butAtMost(sure, "medium", "only a label says that the machine has GPUs");
  }
  if (!makesRoom) return butAtMost(sure, "medium", "its GPUs are requested, so mending it may not be enough");
  if (placement.waiting > group.room) {
    const rest = `it makes room for ${group.room} of the ${placement.waiting} pods that wait alike`;
    return butAtMost(sure, "medium", rest);
  }
  return sure;
}

function evidenceOf({ ask }: PlacementQuestion, { node, loss, fits }: LostGroup): Evidence[] {
  const resource = ask.accelerators[0]?.[0] ?? "";
  const has = (amounts: Readonly<Record<string, number>> | undefined) => amounts?.[resource] ?? "absent";
  const { record, gpus } = node;
  switch (loss.reason) {
    case "NodeNotReady":
      return fits.slice(0, 3).map((fit) => readyEvidence(fit.facts.node));
    case "NodeCordoned":
      return loss.by === "unschedulable" || loss.by === undefined
        ? [nodeEvidence(record, "spec.unschedulable", "true", loss.since)]
        : [nodeEvidence(record, "spec.taints", loss.by, loss.since)];
    case "GpuNotAdvertised": {
      const machine = gpus.physical > 0 ? `the machine has ${gpus.physical}` : fits[0]?.facts.hint;
      const value = `${has(record.capacity)} (${machine ?? "should have some"})`;
      return [nodeEvidence(record, `status.capacity["${resource}"]`, value), ...pluginEvidence(node)];
    }
    case "GpuUnhealthy": {
      const value = `${has(record.allocatable)} of ${has(record.capacity)} in status.capacity`;
      const plugin = gpus.allocatable === 0 ? pluginEvidence(node) : [];
      return [nodeEvidence(record, `status.allocatable["${resource}"]`, value), ...plugin];
    }
    default:
      return loss.reason satisfies never;
  }
}

function pluginEvidence(node: FleetNode): Evidence[] {
  const { pods, failing } = devicePluginsOf(node);
  if (failing?.container) {
    return [containerEvidence(failing.pod, failing.container, containerState(failing.container))];
  }
  if (failing) return [podEvidence(failing.pod, "status.phase", failing.pod.phase, failing.pod.createdAt)];
  const [first] = pods;
  if (first) return [podEvidence(first, "status.phase", `${first.phase}, and yet no GPU is advertised`)];
  return [nodeEvidence(node.record, "pods on it", "no device plugin or driver pod")];
}

function sentenceOf({ pod, ask, now }: PlacementQuestion, group: LostGroup, makesRoom: boolean): string {
  const { node, loss, fits } = group;
  const others = fits.length > 1 ? ` (and ${countInWords(fits.length - 1, "more node")} alike)` : "";
  const since = loss.since === undefined ? "" : ` since ${timeInWords(loss.since, now)}`;
  const would = makesRoom ? "would fit" : "can only run";
  const what = whatOf(node, loss, fits, ask.accelerators[0]?.[0] ?? "");
  return `${pod.name} needs ${ask.words} and ${would} on ${node.record.name}${others}, ${what}${since}.`;
}

function whatOf(node: FleetNode, loss: Loss, fits: readonly NodeFit[], resource: string): string {
  const { record, gpus, readiness } = node;
  const capacity = record.capacity?.[resource] ?? 0;
  switch (loss.reason) {
    case "NodeNotReady":
      return `which is NotReady (${readiness.reason || "no reason given"})`;
    case "NodeCordoned":
      return loss.by === "unschedulable" || loss.by === "deletion"
        ? `which is ${lossInWords(loss)}`
        : `which ${lossInWords(loss)}`;
    case "GpuNotAdvertised": {
      const has = fits[0]?.units.guessed
        ? "should have GPUs"
        : `has ${unitsInWords(resource, gpus.physical, gpus.model)}`;
      const advertises = capacity === 0 ? "none" : `only ${capacity}`;
      return `which is Ready and ${has} but advertises ${advertises}${pluginInWords(node, loss)}`;
    }
    case "GpuUnhealthy": {
      const bad = capacity - (record.allocatable?.[resource] ?? 0);
      return `where ${bad} of ${unitsInWords(resource, capacity, gpus.model)} ${bad === 1 ? "is" : "are"} unhealthy${pluginInWords(node, loss)}`;
    }
    default:
      return loss.reason satisfies never;
  }
}

function pluginInWords(node: FleetNode, loss: Loss): string {
  const failing = failingPlugin(node, loss);
  return failing ? `: ${failing.pod.namespace}/${failing.pod.name} does not run` : "";
}

function stepsOf(node: FleetNode, loss: Loss): string[] {
  const name = shellWord(node.record.name);
  const describe = `kubectl describe node ${name}`;
  switch (loss.reason) {
    case "NodeNotReady":
      return [describe];
    case "NodeCordoned":
      return loss.by === "unschedulable"
        ? [describe, `kubectl uncordon ${name}  # once the maintenance is over`]
        : [describe];
    case "GpuNotAdvertised":
      return [...pluginSteps(node), describe];
    case "GpuUnhealthy":
      return failingPlugin(node, loss)
        ? [...pluginSteps(node), describe]
        : [describe, "Look for Xid errors in the node's kernel log and at the device plugin's log."];
    default:
      return loss.reason satisfies never;
  }
}

function pluginSteps(node: FleetNode): string[] {
  const { failing, pods } = devicePluginsOf(node);
  const pod = failing?.pod ?? pods[0];
  if (!pod) return ["Find out why no device plugin pod runs on it: its node selector, its tolerations."];
  const previous = failing?.container && failing.container.restarts > 0 ? " --previous" : "";
  return [`kubectl -n ${shellWord(pod.namespace)} logs ${shellWord(pod.name)} --all-containers${previous}`];
}

function alsoLost({ fits, loss }: LostGroup): string {
  const names = listInWords(fits.map((fit) => fit.facts.node.record.name));
  return `Would make room too: ${names} (${lossInWords(loss)}).`;
}
