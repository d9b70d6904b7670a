import { nodeEvidence, podEvidence, readyEvidence } from "../evidence.ts";
import { factEvidence } from "../fact-evidence.ts";
import { mismatchInWords } from "../placement/considered.ts";
import type { PlacementQuestion, Rule } from "../question.ts";
import { kueueIndex } from "../queues/kueue-index.ts";
import type { Evidence } from "../verdict.ts";
import { countInWords, shellWord } from "../wording.ts";

const HOSTNAME = "kubernetes.io/hostname";

/**
 * Kueue has given the pod a node by name, and that node does not take it: whatever is wrong there, only another
 * assignment gives the pod a place. https://kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling/
 */
export const topologyAssignment: Rule<PlacementQuestion> = (question) => {
  const { pod, fleet, placement, words } = question;
  const name = pod.nodeSelector[HOSTNAME];
  const workload = name === undefined ? undefined : kueueIndex(fleet).workloadOfPod(pod);
  if (name === undefined || !workload || placement.roomy.length > 0) return undefined;
  const assigned = workload.assignments.some(({ domains }) => domains.includes(name));
  if (!assigned && !("kueue.x-k8s.io/tas" in pod.labels)) return undefined;
  const trouble = troubleOf(name, question);
  if (!trouble) return undefined;
  const failed = workload.failedNodes.includes(name);
  const ended = fleet.pods.filter(
    (one) =>
      one.phase === "Failed" &&
      one.nodeName === undefined &&
      one.namespace === pod.namespace &&
      one.nodeSelector[HOSTNAME] === name &&
      kueueIndex(fleet).workloadOfPod(one)?.uid === workload.uid,
  ).length;
  const before = ended > 0 ? `; ${countInWords(ended, "pod")} before it ended the same way` : "";
  return {
    reason: "TopologyUnsatisfied",
    sure: {
      certainty: failed || assigned ? "high" : "medium",
      why: failed
        ? "Kueue itself lists the node as failed and still assigns it"
        : "the pod can only run on the node that Kueue has assigned, and that does not take it",
    },
    pool: fleet.nodes.get(name)?.poolId,
    evidence: [
      podEvidence(pod, `spec.nodeSelector["${HOSTNAME}"]`, name),
      ...trouble.evidence,
      ...(failed ? [factEvidence(workload, "status.unhealthyNodes", workload.failedNodes.join(", "))] : []),
      ...(words?.evidence ?? []),
    ],
    sentence: `${pod.name} may only run on ${name}, where Kueue's topology assignment of workload ${workload.name} puts it, and ${trouble.what}${before}.`,
    step: `Kueue assigns ${name}, which does not take it`,
    next: [
      `kubectl -n ${shellWord(workload.namespace)} describe workload ${shellWord(workload.name)}`,
      `Mend ${name}, or free another domain of the topology, so that Kueue can assign one that works.`,
    ],
    reads: ["workloads"],
  };
};

function troubleOf(
  name: string,
  { fleet, placement }: PlacementQuestion,
): { readonly what: string; readonly evidence: readonly Evidence[] } | undefined {
  const node =
    fleet.nodes.get(name) ?? [...fleet.nodes.values()].find((one) => one.record.labels[HOSTNAME] === name);
  if (!node) {
    return fleet.nodesKnown ? { what: "there is no such node any more", evidence: [] } : undefined;
  }
  if (!node.readiness.ready) return { what: "that node is not Ready", evidence: [readyEvidence(node)] };
  if (node.blocked) {
    const { by, since } = node.blocked;
    const what =
      by === "unschedulable"
        ? "that node is cordoned"
        : by === "deletion"
          ? "that node is being deleted"
          : `that node has the taint ${by}`;
    return { what, evidence: [nodeEvidence(node.record, "spec.taints", by, since)] };
  }
  const fit = placement.offering.find(({ facts }) => facts.node === node);
  const mismatch = fit?.mismatches.find((one) => one.kind === "taint");
  if (mismatch) {
    return {
      what: `that node ${mismatchInWords(mismatch)}`,
      evidence: [nodeEvidence(node.record, "spec.taints", mismatch.what)],
    };
  }
  const short = fit?.shortages[0];
  if (!short || fit.loss) return undefined;
  return {
    what: `that node has ${short.free} of the ${short.asks} ${short.resource} free`,
    evidence: [nodeEvidence(node.record, `status.allocatable["${short.resource}"]`, `${short.free} free`)],
  };
}
