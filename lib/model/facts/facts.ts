import type { Sourced } from "../snapshot.ts";
import type { AutoscalerStatusRecord, ProvisioningRequestRecord } from "./autoscaling.ts";
import type { ControllerRecord } from "./controllers.ts";
import type { DeviceClassRecord, ResourceClaimRecord, ResourceSliceRecord } from "./devices.ts";
import type { PodGroupRecord, QueueRecord } from "./gangs.ts";
import type { NodeClaimRecord, NodeClassRecord, NodePoolRecord } from "./karpenter.ts";
import type {
  AdmissionCheckRecord,
  ClusterQueueRecord,
  CohortRecord,
  LocalQueueRecord,
  ResourceFlavorRecord,
  TopologyRecord,
  WorkloadRecord,
} from "./kueue.ts";
import type { LimitRangeRecord, PriorityClassRecord, ResourceQuotaRecord } from "./quotas.ts";
import type { StorageClassRecord, VolumeClaimRecord, VolumeRecord } from "./storage.ts";

/** Record by the name under which its kind (or kinds) is kept. */
export interface FactRecords {
  readonly nodePools: NodePoolRecord;
  readonly nodeClaims: NodeClaimRecord;
  readonly nodeClasses: NodeClassRecord;
  readonly provisioningRequests: ProvisioningRequestRecord;
  readonly autoscalerStatus: AutoscalerStatusRecord;
  readonly clusterQueues: ClusterQueueRecord;
  readonly localQueues: LocalQueueRecord;
  readonly cohorts: CohortRecord;
  readonly resourceFlavors: ResourceFlavorRecord;
  readonly workloads: WorkloadRecord;
  readonly admissionChecks: AdmissionCheckRecord;
  readonly topologies: TopologyRecord;
  readonly podGroups: PodGroupRecord;
  readonly queues: QueueRecord;
  readonly resourceSlices: ResourceSliceRecord;
  readonly resourceClaims: ResourceClaimRecord;
  readonly deviceClasses: DeviceClassRecord;
  readonly controllers: ControllerRecord;
  readonly resourceQuotas: ResourceQuotaRecord;
  readonly limitRanges: LimitRangeRecord;
  readonly priorityClasses: PriorityClassRecord;
  readonly volumeClaims: VolumeClaimRecord;
  readonly volumes: VolumeRecord;
  readonly storageClasses: StorageClassRecord;
}

export type FactName = keyof FactRecords;

/** `known` and empty: the cluster has none, or does not even have the kind. Not `known`: forbidden, or not read yet. */
export type Facts = { readonly [Name in FactName]: Sourced<FactRecords[Name]> };

function everyFact(each: Sourced<never>): Facts {
  return {
    nodePools: each,
    nodeClaims: each,
    nodeClasses: each,
    provisioningRequests: each,
    autoscalerStatus: each,
    clusterQueues: each,
    localQueues: each,
    cohorts: each,
    resourceFlavors: each,
    workloads: each,
    admissionChecks: each,
    topologies: each,
    podGroups: each,
    queues: each,
    resourceSlices: each,
    resourceClaims: each,
    deviceClasses: each,
    controllers: each,
    resourceQuotas: each,
    limitRanges: each,
    priorityClasses: each,
    volumeClaims: each,
    volumes: each,
    storageClasses: each,
  };
}

/** Facts of a cluster that has none of these objects. */
export const NO_FACTS: Facts = everyFact({ known: true, items: [] });

/** Facts where nothing could be read. */
export const UNREAD_FACTS: Facts = everyFact({ known: false, items: [] });
