import { expect, test } from "vitest";
import { classifyLaunchError, type LaunchFault } from "./launch-errors.ts";

const FLEET = "creating instance, insufficient capacity, with fleet error(s), ";

test.each<[LaunchFault | undefined, string]>([
  // Without a code in front
  [
    "stockout",
    "We currently do not have sufficient p4d.24xlarge capacity in zones with support for 'gp3' volumes.",
  ],
  ["stockout", "There is no Spot capacity available that matches your request."],
  [
    "stockout",
    "A a2-highgpu-1g VM instance with 1 nvidia-tesla-a100 accelerator(s) is currently unavailable in the us-central1-a zone.",
  ],
  ["stockout", "scale.up.error.out.of.resources"],
  [
    "stockout",
    "the requested SKU is unavailable for instance type Standard_NC4as_T4_v3 in zone 1 with capacity type spot",
  ],
  [
    "stockout",
    "unable to allocate resources in the selected zone (2). (will try a different zone to fulfill your request)",
  ],
  ["stockout", "error during placement (resource_unavailable)"],
  ["quota", "You've reached your quota for maximum Fleet Requests for this account."],
  [
    "quota",
    "this subscription has reached the regional vCPU quota for spot. To scale beyond this limit, see quotas",
  ],
  ["quota", "droplet limit exceeded"],
  ["quota", "You have exceeded the maximum number of vCPUs"],
  ["reservation-full", "Specified reservation 'a3' does not have available resources for the request."],
  [
    "throttled",
    "RATE_LIMIT_EXCEEDED: Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'",
  ],
  ["throttled", "googleapi: Error 403: Rate Limit Exceeded, rateLimitExceeded"],
  ["network", "scale.up.error.ip.space.exhausted"],
  ["permission", "scale.up.error.service.account.deleted"],
  ["permission", "RequestDisallowedByPolicy: Resource 'gpu' was disallowed by policy."],
  ["config", "The requested configuration is currently not supported."],
  ["config", "Accelerator type 'nvidia-l4' is not available in zone us-central1-f"],
  ["not-registered", "scale.up.error.waiting.for.instances.timeout"],
  // AWS
  [
    "stockout",
    `${FLEET}InsufficientInstanceCapacity: We currently do not have sufficient p5.48xlarge capacity in the Availability Zone you requested (us-east-2a).`,
  ],
  [
    "stockout",
    `${FLEET}UnfulfillableCapacity: Unable to fulfill capacity due to your request configuration.`,
  ],
  [
    "stockout",
    "InsufficientHostCapacity: There is not enough capacity to fulfill your Dedicated Host request.",
  ],
  ["stockout", "all requested instance types were unavailable during launch"],
  [
    "stockout",
    "due to OutOfResource.placeholder-cannot-be-fulfilled; AWS cannot provision any more instances for this node group",
  ],
  [
    "quota",
    `${FLEET}VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of 0 allows for the instance bucket`,
  ],
  ["quota", `${FLEET}MaxSpotInstanceCountExceeded: Max spot instance count exceeded`],
  ["quota", "InstanceLimitExceeded: Your quota allows for 0 more running instance(s)."],
  ["reservation-full", `${FLEET}ReservationCapacityExceeded: Reservation has insufficient capacity.`],
  [
    "reservation-full",
    "ReservationCapacityExceeded: The requested reservation does not have sufficient compatible and available capacity for this request.",
  ],
  [
    "network",
    `${FLEET}InsufficientFreeAddressesInSubnet: There are not enough free addresses in subnet 'subnet-0aa' to satisfy the requested number of instances.`,
  ],
  ["permission", "UnauthorizedOperation: You are not authorized to perform this operation."],
  ["permission", "operation error EC2: CreateFleet, https response error StatusCode: 403"],
  [
    "config",
    "InvalidLaunchTemplateName.NotFoundException: At least one of the launch templates specified in the request does not exist.",
  ],
  ["config", "InvalidAMIID.NotFound: The image id '[ami-0]' does not exist"],
  [
    "config",
    "Unsupported: Your requested instance type (p5.48xlarge) is not supported in your requested Availability Zone (us-east-1f).",
  ],
  ["throttled", "RequestLimitExceeded: Request limit exceeded."],
  // Google
  [
    "stockout",
    "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS: The zone 'projects/p/zones/us-central1-a' does not have enough resources available to fulfill the request.",
  ],
  [
    "stockout",
    "Node scale up in zones us-central1-c associated with this pod failed: GCE out of resources. Pod is at risk of not being scheduled.",
  ],
  [
    "stockout",
    'There is no more capacity in the zone "us-central2-b"; you can try in another zone where Cloud TPU Nodes are offered',
  ],
  [
    "stockout",
    "Waiting for resources. Currently there are not enough resources available to fulfill the request.",
  ],
  [
    "quota",
    "Node scale up in zones us-central1-a associated with this pod failed: GCE quota exceeded. Pod is at risk of not being scheduled.",
  ],
  ["quota", "QUOTA_EXCEEDED: Quota 'GPUS_ALL_REGIONS' exceeded. Limit: 0.0 globally."],
  ["quota", "Quota 'NVIDIA_H100_GPUS' exceeded.  Limit: 8.0 in region us-central1."],
  ["quota", "Quota limit 'TPUV5sLitepodPerProjectPerZone' has been exceeded. Limit: 0 in zone us-west4-a."],
  [
    "network",
    "Node scale up in zones a associated with this pod failed: IP space exhausted. Pod is at risk of not being scheduled.",
  ],
  ["permission", "Required 'compute.instances.create' permission for 'projects/p/zones/z/instances/i'"],
  // Azure
  [
    "stockout",
    "AllocationFailed: Allocation failed. We do not have sufficient capacity for the requested VM size in this region.",
  ],
  [
    "stockout",
    "ZonalAllocationFailed: Allocation failed. We do not have sufficient capacity for the requested VM size Standard_ND96isr_H100_v5 in zone 1.",
  ],
  [
    "stockout",
    "OverconstrainedAllocationRequest: Allocation failed. VM(s) with the following constraints cannot be allocated",
  ],
  [
    "stockout",
    "SkuNotAvailable: The requested VM size for resource 'X' is currently not available in location 'eastus2'.",
  ],
  [
    "quota",
    "OperationNotAllowed: Operation could not be completed as it results in exceeding approved standardNDSH100v5Family Cores quota. Current Limit: 96",
  ],
  ["quota", "QuotaExceeded: Operation results in exceeding quota limits of Core."],
  [
    "network",
    "SubnetIsFull: Subnet gpu with address prefix 10.0.0.0/24 does not have enough capacity for 1 IP addresses.",
  ],
  [
    "permission",
    "LinkedAuthorizationFailed: The client has permission to perform action, however it does not have permission on the linked scope",
  ],
  // Oracle and others
  ["stockout", "500-InternalError, Out of host capacity."],
  ["quota", "LimitExceeded: The following service limits were exceeded: gpu-a10-count."],
  ["stockout", "OperationDenied.NoStock: The requested resource is sold out in the specified zone"],
  // Autoscalers
  ["not-registered", "Nodes added to group gpu-asg failed to register within 15m0.5s"],
  ["config", "NodeClassNotReady"],
  ["stockout", "InsufficientCapacityError"],
  [
    undefined,
    "Node scale up in zones a associated with this pod failed: Internal error. Pod is at risk of not being scheduled.",
  ],
  [undefined, "all available instance types exceed limits for nodepool (NodePool=gpu)"],
  [undefined, ""],
])("%s: %s", (fault, text) => {
  expect(classifyLaunchError(text)?.fault).toBe(fault);
});
