import type { Layer } from "./stages.ts";

/** Every reason code and the layer whose owner has to act on it. */
export const REASONS = {
  NoCapacitySource: "L1",
  CloudStockout: "L1",
  QuotaExceeded: "L1",
  ReservationExhausted: "L1",
  ReservationNotStarted: "L1",
  ReservationEnded: "L1",
  ReservationNotUsable: "L1",
  CapacityNotLaunched: "L2",
  NodeLaunching: "L2",
  NodeLaunchFailed: "L2",
  NodeNotRegistered: "L2",
  NodeNotReady: "L2",
  NodeCordoned: "L2",
  GpuNotAdvertised: "L2",
  DevicePluginDown: "L2",
  GpuUnhealthy: "L2",
  DeviceNotReadyAtAdmission: "L2",
  GpuLostAtRuntime: "L2",
  AutoscalerLimitReached: "L2",
  AutoscalerNotActing: "L2",
  GpusBusy: "L3",
  GpusFragmented: "L3",
  OtherResourcesExhausted: "L3",
  GangIncomplete: "L3",
  QueueQuotaExhausted: "L3",
  QueueRequestTooLarge: "L3",
  NamespaceQuotaExceeded: "L3",
  SchedulingGated: "L3",
  Preempted: "L3",
  PreemptionNotPossible: "L3",
  TopologyUnsatisfied: "L3",
  VolumeZoneConflict: "L3",
  DeviceClaimUnallocated: "L3",
  SchedulerAbsent: "L3",
  SchedulerDelay: "L3",
  SchedulerOvercommit: "L3",
  HeldByOwnRollout: "L3",
  RequestNeverFits: "L4",
  ImagePullFailed: "L4",
  ContainerConfigError: "L4",
  CrashLoop: "L4",
  CudaOutOfMemory: "L4",
  HostOutOfMemory: "L4",
  Evicted: "L4",
  SharedMemoryTooSmall: "L4",
  NcclTimeout: "L4",
  Hung: "L4",
  ProbeKillsSlowStart: "L4",
  ImageDriverMismatch: "L4",
  ModelAccessDenied: "L4",
  LossDiverged: "L4",
  GpuIdle: "L4",
  LowUtilization: "L4",
} as const satisfies Record<string, Layer>;

/** A reason code, CamelCase as Kubernetes condition reasons are. */
export type Reason = keyof typeof REASONS;

/** The layer at fault for `reason`. */
export function layerOf(reason: Reason): Layer {
  return REASONS[reason];
}
