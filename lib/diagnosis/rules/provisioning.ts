import { gpusAsked } from "../../layers/gpus-asked.ts";
import type { WorkloadRecord } from "../../model/facts/kueue.ts";
import { NORMAL_LAUNCH_MS } from "../autoscalers/launch-state.ts";
import { waitsForProvisioning } from "../autoscalers/provisioning-check.ts";
import { provisioningVerdict } from "../autoscalers/provisioning-request.ts";
import { factEvidence } from "../fact-evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { Finding, PlacementQuestion, Rule, SubjectFinding, SubjectRule } from "../question.ts";
import { isOver } from "../queues/kueue-index.ts";

/** Workloads of Kueue that have their quota and wait for machines that a ProvisioningRequest asks for. */
export const provisioningWorkloads: SubjectRule = (fleet, now) =>
  fleet.facts.workloads.items.flatMap((workload): SubjectFinding[] => {
    const gpus = workload.podSets.reduce(
      (sum, { requests, count }) =>
        sum + count * gpusAsked({ requests, annotations: {}, labels: {} }, fleet.acceleratorNames),
      0,
    );
    if (gpus === 0 || isOver(workload) || !waitsForProvisioning(workload, fleet)) return [];
    const requests = requestsOf(fleet).get(workload.uid) ?? [];
    const newest = [...requests].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))[0];
    const finding = newest
      ? provisioningVerdict(newest, workload.name, fleet, now)
      : notRequested(workload, now);
    const reserved = workload.conditions.find(({ type }) => type === "QuotaReserved");
    return finding ? [{ ...finding, object: workload, gpus, since: reserved?.lastTransitionTime }] : [];
  });

/** Uid of its owner -> requests. */
const requestsOf = perFleet(({ facts }) =>
  Map.groupBy(facts.provisioningRequests.items, (request) => request.owner?.uid ?? ""),
);

/** Kueue makes the request at once: where there is none it cannot, or nobody may see it. */
function notRequested(workload: WorkloadRecord, now: number): Finding | undefined {
  const since = workload.conditions.find(({ type }) => type === "QuotaReserved")?.lastTransitionTime;
  if (since === undefined || now - since < NORMAL_LAUNCH_MS) return undefined;
  const checks = workload.checks.filter(({ state }) => state !== "Ready");
  const told = checks.map(({ name, state, message }) => `${name}: ${state} ${message}`.trim()).join(", ");
  return {
    reason: "AutoscalerNotActing",
    sure: {
      certainty: "medium",
      why: "its admission check waits, and no ProvisioningRequest for it is there",
    },
    evidence: [factEvidence(workload, "status.admissionChecks", told, since)],
    sentence: `${workload.name} has its quota and waits for machines that nobody has asked for: there is no ProvisioningRequest for it (${told}).`,
    step: "no ProvisioningRequest for it",
    next: [
      "Look into Kueue's log, and whether the cluster serves provisioningrequests.autoscaling.x-k8s.io.",
    ],
    reads: ["provisioningRequests", "admissionChecks"],
  };
}

const CONSUMES = [
  "autoscaling.x-k8s.io/consume-provisioning-request",
  "cluster-autoscaler.kubernetes.io/consume-provisioning-request",
];

/** A pod that runs on the machines of a ProvisioningRequest: no autoscaler does more for it than that. */
export const provisioningPending: Rule<PlacementQuestion> = ({ pod, fleet, now, placement }) => {
  if (placement.roomy.length > 0) return undefined;
  const name = CONSUMES.map((key) => pod.annotations[key]).find((value) => value !== undefined);
  if (name === undefined) return undefined;
  const request = fleet.facts.provisioningRequests.items.find(
    (one) => one.name === name && one.namespace === pod.namespace,
  );
  return request && provisioningVerdict(request, pod.name, fleet, now);
};
