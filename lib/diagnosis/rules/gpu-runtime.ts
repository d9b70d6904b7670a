import { devicePluginsOf } from "../../layers/device-plugin.ts";
import type { FleetNode } from "../../layers/fleet.ts";
import type { PodRecord } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import type { Ask } from "../ask.ts";
import { containerEvidence, nodeEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { containerFinding, containerInWords, introOf } from "../runtime/container-failure.ts";
import { containerState } from "../runtime/container-state.ts";
import { readLog } from "../runtime/read-log.ts";
import { startErrorOf } from "../runtime/start-error.ts";
import type { Evidence } from "../verdict.ts";
import { cutText, shellWord } from "../wording.ts";

/** The vendor's container runtime, its hook, or the CDI devices that it is to inject. https://github.com/cncf-tags/container-device-interface */
export const GPU_RUNTIME =
  /nvidia-container-(cli|runtime|toolkit)|nvidia-ctk|nvidia-cdi|libnvidia|\bCDI (device|spec|injection)|unresolvable CDI|\/dev\/(nvidia|dri|kfd|neuron|accel|vfio|habana)|runtime handler .*(nvidia|amd|neuron)|no runtime for "?(nvidia|amd|habana)|\bnvml\b|habana-container|exec: "nvidia-smi": executable file not found/i;

/**
 * The node's kernel module and its libraries differ, as after an upgrade that was not loaded anew. Containers get the
 * node's own libraries, so that is the node's fault unless an image brings some of its own.
 */
export const DRIVER_CHANGED = /driver\/library version mismatch/i;

/** The container runtime cannot give a container its devices: what of the node is at fault. */
export const gpuRuntimeRefused: Rule<Question> = ({ pod, ask, fleet }) => {
  const error = startErrorOf(pod, fleet.events.ofPod(pod.namespace, pod.name));
  if (!error || !GPU_RUNTIME.test(error.message)) return undefined;
  const { container, message } = error;
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const words = cutText(coreOf(message), 200);
  if (!DRIVER_CHANGED.test(message) && readLog(message)?.reason === "ImageDriverMismatch") {
    const finding = containerFinding("ImageDriverMismatch", pod, container);
    return {
      ...finding,
      sentence: `${introOf(pod)} its ${containerInWords(container)} cannot be started, since the image ${container.image} needs another driver than the node has: ${words}.`,
      step: `image ${container.image} does not go with the node's driver`,
      next: [
        "Use an image for the CUDA version that the node's driver has, or a newer driver.",
        ...finding.next,
      ],
    };
  }
  const fault = deviceFault(node, ask);
  return {
    ...containerFinding(fault.reason, pod, container),
    sure: {
      certainty: node ? "high" : "medium",
      why: `the container runtime's own error${node ? "" : "; its node is not known"}`,
    },
    pool: node?.poolId,
    evidence: [
      containerEvidence(pod, container, `${containerState(container)}: ${message}`),
      ...fault.evidence,
    ],
    sentence: `${introOf(pod)} the node cannot give its ${containerInWords(container)} the ${ask.words}${fault.words}: ${words}.`,
    step: `${pod.nodeName}: the container runtime cannot hand out its GPUs${fault.words}`,
    next: [...fault.next, `kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`],
  };
};

/** Where the telling part of a runtime's error begins: before it stands who called whom. */
const CORE =
  /nvidia-container-cli(\.real)?: |(failed to \w+ |unresolvable |error .{0,20})CDI\b|no runtime for |exec: "|habana-container/;

/** What the runtime, its hook or its plugin says itself, without the calls that led to it. */
export function coreOf(message: string): string {
  const at = message.search(CORE);
  return at > 0 ? message.slice(at) : message;
}

/** Why a node cannot give a pod its devices, from what the node shows now. */
export interface DeviceFault {
  readonly reason: Extract<Reason, "DevicePluginDown" | "GpuNotAdvertised" | "DeviceNotReadyAtAdmission">;
  readonly evidence: readonly Evidence[];
  /** Goes on after what failed: `, where kube-system/plugin-x does not run`; empty where nothing shows. */
  readonly words: string;
  readonly next: readonly string[];
}

/** A device plugin that fails, a node that offers no such device, or neither: then the moment was wrong. */
export function deviceFault(node: FleetNode | undefined, ask: Ask): DeviceFault {
  const fault = (reason: DeviceFault["reason"], rest: Partial<DeviceFault>): DeviceFault => {
    return { reason, evidence: [], words: "", next: [], ...rest };
  };
  if (!node) return fault("DeviceNotReadyAtAdmission", {});
  const { failing } = devicePluginsOf(node);
  if (failing) return fault("DevicePluginDown", failingPlugin(failing.pod, failing.container));
  const resource = ask.accelerators[0]?.[0] ?? "";
  const describe = `kubectl describe node ${shellWord(node.record.name)}`;
  const offered = node.record.allocatable?.[resource];
  const evidence = [
    nodeEvidence(
      node.record,
      `status.allocatable["${resource}"]`,
      offered === undefined ? "absent" : String(offered),
    ),
  ];
  if ((node.record.capacity?.[resource] ?? 0) === 0) {
    return fault("GpuNotAdvertised", {
      evidence,
      words: `, which advertises no ${resource}`,
      next: [describe],
    });
  }
  return fault("DeviceNotReadyAtAdmission", { evidence, next: [describe] });
}

function failingPlugin(
  pod: PodRecord,
  container: Parameters<typeof containerState>[0] | undefined,
): Partial<DeviceFault> {
  return {
    evidence: container ? [containerEvidence(pod, container, containerState(container))] : [],
    words: `, where ${pod.namespace}/${pod.name} does not run`,
    next: [`kubectl -n ${shellWord(pod.namespace)} logs ${shellWord(pod.name)} --all-containers`],
  };
}
