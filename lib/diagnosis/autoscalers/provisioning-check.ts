import type { Fleet } from "../../layers/fleet.ts";
import type { WorkloadRecord } from "../../model/facts/kueue.ts";
import { isTrue } from "../queues/kueue-index.ts";

/** The controller that asks an autoscaler for the machines. https://kueue.sigs.k8s.io/docs/concepts/admission_check/provisioning/ */
const PROVISIONING = "kueue.x-k8s.io/provisioning-request";

/**
 * Whether `workload` has its quota and waits, or was sent away, for an admission check that a ProvisioningRequest stands
 * behind: what an autoscaler does is then the answer, not the queue.
 */
export function waitsForProvisioning(workload: WorkloadRecord, fleet: Fleet): boolean {
  // Without quota a check that is Pending has not been asked yet.
  const asked = workload.clusterQueue !== undefined || isTrue(workload, "Evicted");
  const unready = workload.checks.filter(({ state }) => state !== "Ready" && (asked || state !== "Pending"));
  return unready.some((check) =>
    fleet.facts.admissionChecks.items.some(
      (one) => one.name === check.name && one.controller === PROVISIONING,
    ),
  );
}
