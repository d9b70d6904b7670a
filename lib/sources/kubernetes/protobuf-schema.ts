/**
 * The part of Kubernetes' own schema that Seamline reads; a decoder skips all that is not declared here, which is what makes
 * it fast. Names and numbers are those of generated.proto in k8s.io/api/core/v1, k8s.io/apimachinery/pkg/apis/meta/v1,
 * pkg/runtime and pkg/api/resource (v0.36); they never change within an API version. proto2, since there a field that was
 * sent as zero can be told from one that was not sent.
 */
export const PROTOBUF_SCHEMA = `
syntax = "proto2";
package k8s;

message TypeMeta { optional string apiVersion = 1; optional string kind = 2; }
message Unknown { optional TypeMeta typeMeta = 1; optional bytes raw = 2; }
message RawExtension { optional bytes raw = 1; }
message WatchEvent { optional string type = 1; optional RawExtension object = 2; }

message Time { optional int64 seconds = 1; optional int32 nanos = 2; }
message MicroTime { optional int64 seconds = 1; optional int32 nanos = 2; }
message Quantity { optional string string = 1; }

message ListMeta { optional string resourceVersion = 2; optional string continue = 3; optional int64 remainingItemCount = 4; }
message OwnerReference {
  optional string kind = 1; optional string name = 3; optional string uid = 4; optional string apiVersion = 5;
  optional bool controller = 6;
}
message ObjectMeta {
  optional string name = 1; optional string namespace = 3; optional string uid = 5; optional string resourceVersion = 6;
  optional Time creationTimestamp = 8; optional Time deletionTimestamp = 9;
  map<string, string> labels = 11; map<string, string> annotations = 12;
  repeated OwnerReference ownerReferences = 13;
}
message StatusCause { optional string reason = 1; optional string message = 2; optional string field = 3; }
message StatusDetails {
  optional string name = 1; optional string group = 2; optional string kind = 3; repeated StatusCause causes = 4;
  optional int32 retryAfterSeconds = 5; optional string uid = 6;
}
message Status {
  optional ListMeta metadata = 1; optional string status = 2; optional string message = 3; optional string reason = 4;
  optional StatusDetails details = 5; optional int32 code = 6;
}

message Taint { optional string key = 1; optional string value = 2; optional string effect = 3; optional Time timeAdded = 4; }
message NodeSpec { optional string providerID = 3; optional bool unschedulable = 4; repeated Taint taints = 5; }
message NodeCondition {
  optional string type = 1; optional string status = 2; optional Time lastTransitionTime = 4; optional string reason = 5;
  optional string message = 6;
}
message NodeSystemInfo { optional string kubeletVersion = 7; }
message NodeStatus {
  map<string, Quantity> capacity = 1; map<string, Quantity> allocatable = 2; repeated NodeCondition conditions = 4;
  optional NodeSystemInfo nodeInfo = 7;
}
message Node { optional ObjectMeta metadata = 1; optional NodeSpec spec = 2; optional NodeStatus status = 3; }
message NodeList { optional ListMeta metadata = 1; repeated Node items = 2; }

message ResourceRequirements { map<string, Quantity> limits = 1; map<string, Quantity> requests = 2; }
message VolumeMount { optional string name = 1; optional string mountPath = 3; }
message Probe { optional int32 initialDelaySeconds = 2; optional int32 periodSeconds = 4; optional int32 failureThreshold = 6; }
message Container {
  optional string name = 1; optional string image = 2; optional ResourceRequirements resources = 8;
  repeated VolumeMount volumeMounts = 9; optional Probe livenessProbe = 10; optional Probe startupProbe = 22;
  optional string restartPolicy = 24;
}
message PersistentVolumeClaimVolumeSource { optional string claimName = 1; }
message VolumeSource { optional PersistentVolumeClaimVolumeSource persistentVolumeClaim = 10; }
message Volume { optional string name = 1; optional VolumeSource volumeSource = 2; }
message NodeSelectorRequirement { optional string key = 1; optional string operator = 2; repeated string values = 3; }
message NodeSelectorTerm {
  repeated NodeSelectorRequirement matchExpressions = 1; repeated NodeSelectorRequirement matchFields = 2;
}
message NodeSelector { repeated NodeSelectorTerm nodeSelectorTerms = 1; }
message NodeAffinity { optional NodeSelector requiredDuringSchedulingIgnoredDuringExecution = 1; }
message LabelSelectorRequirement { optional string key = 1; optional string operator = 2; repeated string values = 3; }
message LabelSelector { map<string, string> matchLabels = 1; repeated LabelSelectorRequirement matchExpressions = 2; }
message PodAffinityTerm {
  optional LabelSelector labelSelector = 1; repeated string namespaces = 2; optional string topologyKey = 3;
  optional LabelSelector namespaceSelector = 4;
}
message PodAffinity { repeated PodAffinityTerm requiredDuringSchedulingIgnoredDuringExecution = 1; }
message PodAntiAffinity { repeated PodAffinityTerm requiredDuringSchedulingIgnoredDuringExecution = 1; }
message Affinity {
  optional NodeAffinity nodeAffinity = 1; optional PodAffinity podAffinity = 2; optional PodAntiAffinity podAntiAffinity = 3;
}
message Toleration {
  optional string key = 1; optional string operator = 2; optional string value = 3; optional string effect = 4;
  optional int64 tolerationSeconds = 5;
}
message TopologySpreadConstraint {
  optional int32 maxSkew = 1; optional string topologyKey = 2; optional string whenUnsatisfiable = 3;
  optional LabelSelector labelSelector = 4; optional int32 minDomains = 5;
}
message PodSchedulingGate { optional string name = 1; }
message PodResourceClaim {
  optional string name = 1; optional string resourceClaimName = 3; optional string resourceClaimTemplateName = 4;
}
message PodResourceClaimStatus { optional string name = 1; optional string resourceClaimName = 2; }
message PodSpec {
  repeated Volume volumes = 1; repeated Container containers = 2; optional string restartPolicy = 3;
  map<string, string> nodeSelector = 7; optional string nodeName = 10; optional Affinity affinity = 18;
  optional string schedulerName = 19; repeated Container initContainers = 20; repeated Toleration tolerations = 22;
  optional string priorityClassName = 24; optional int32 priority = 25; optional string preemptionPolicy = 31;
  map<string, Quantity> overhead = 32; repeated TopologySpreadConstraint topologySpreadConstraints = 33;
  repeated PodSchedulingGate schedulingGates = 38; repeated PodResourceClaim resourceClaims = 39;
  optional ResourceRequirements resources = 40;
}
message ContainerStateWaiting { optional string reason = 1; optional string message = 2; }
message ContainerStateRunning { optional Time startedAt = 1; }
message ContainerStateTerminated {
  optional int32 exitCode = 1; optional int32 signal = 2; optional string reason = 3; optional string message = 4;
  optional Time startedAt = 5; optional Time finishedAt = 6;
}
message ContainerState {
  optional ContainerStateWaiting waiting = 1; optional ContainerStateRunning running = 2;
  optional ContainerStateTerminated terminated = 3;
}
message ContainerStatus {
  optional string name = 1; optional ContainerState state = 2; optional ContainerState lastState = 3; optional bool ready = 4;
  optional int32 restartCount = 5; optional string image = 6; optional bool started = 9;
}
message PodCondition {
  optional string type = 1; optional string status = 2; optional Time lastTransitionTime = 4; optional string reason = 5;
  optional string message = 6;
}
message PodStatus {
  optional string phase = 1; repeated PodCondition conditions = 2; optional string message = 3; optional string reason = 4;
  optional Time startTime = 7; repeated ContainerStatus containerStatuses = 8;
  repeated ContainerStatus initContainerStatuses = 10; optional string nominatedNodeName = 11;
  repeated PodResourceClaimStatus resourceClaimStatuses = 15;
}
message Pod { optional ObjectMeta metadata = 1; optional PodSpec spec = 2; optional PodStatus status = 3; }
message PodList { optional ListMeta metadata = 1; repeated Pod items = 2; }

message ObjectReference {
  optional string kind = 1; optional string namespace = 2; optional string name = 3; optional string uid = 4;
  optional string apiVersion = 5; optional string fieldPath = 7;
}
message EventSource { optional string component = 1; optional string host = 2; }
message EventSeries { optional int32 count = 1; optional MicroTime lastObservedTime = 2; }
message Event {
  optional ObjectMeta metadata = 1; optional ObjectReference involvedObject = 2; optional string reason = 3;
  optional string message = 4; optional EventSource source = 5; optional Time firstTimestamp = 6;
  optional Time lastTimestamp = 7; optional int32 count = 8; optional string type = 9; optional MicroTime eventTime = 10;
  optional EventSeries series = 11; optional string reportingComponent = 14; optional string reportingInstance = 15;
}
message EventList { optional ListMeta metadata = 1; repeated Event items = 2; }
`;

/** The message whose fields lie in its parent's JSON, as those of Go's embedded structs do. */
export const EMBEDDED = "VolumeSource";
