/** What a provider's refusal to launch a machine means. */
export type LaunchFault =
  /** The reservation that the launch named has no free slot. */
  | "reservation-full"
  /** The account may not have more, or not any. */
  | "quota"
  /** The provider has none left. */
  | "stockout"
  /** No address, or no usable network. */
  | "network"
  /** The launcher, or the account, may not. */
  | "permission"
  /** The request itself is wrong: image, template, unsupported combination. */
  | "config"
  /** Too many calls: it passes. */
  | "throttled"
  /** Machines were made and never joined. */
  | "not-registered";

/** One kind of refusal in the provider's words. */
export interface LaunchError {
  readonly fault: LaunchFault;
  /** The word or phrase by which it was told, as it stands in the text. */
  readonly words: string;
}

/**
 * The error codes and phrases of the providers and of the autoscalers in front of them, what is more telling first: one
 * message often wraps several, and Karpenter calls every refusal of a fleet "insufficient capacity".
 * https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html
 * https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-vm-creation
 * https://learn.microsoft.com/en-us/azure/virtual-machines/troubleshooting-allocation-failed-errors
 * https://docs.oracle.com/en-us/iaas/Content/API/References/apierrors.htm
 * https://cloud.google.com/kubernetes-engine/docs/how-to/cluster-autoscaler-visibility
 */
const ERRORS: readonly (readonly [fault: LaunchFault, words: RegExp])[] = [
  ["reservation-full", /ReservationCapacityExceeded/i],
  [
    "reservation-full",
    /reservation[^.;]{0,80}(insufficient|not have (sufficient|enough))[^.;]{0,60}capacity/i,
  ],
  [
    "reservation-full",
    /(reservation|capacityReservationGroup)[^.;]{0,60}(exhausted|is full|fully (used|consumed))/i,
  ],
  ["reservation-full", /no (matching|available) (open )?(capacity )?reservation/i],
  [
    "reservation-full",
    /reservations?\b[^.;]{0,80}(does|do|has|have) no[t]? [^.;]{0,20}available (resources|capacity|instances)/i,
  ],

  ["throttled", /RATE_LIMIT_EXCEEDED|rate ?limit ?exceeded|quota metric '[^']*(Queries|requests)/i],

  ["quota", /VcpuLimitExceeded|MaxSpotInstanceCountExceeded|InstanceLimitExceeded|MaxIOPSLimitExceeded/i],
  ["quota", /(scale\.up\.error\.)?quota[._ ]?exceeded|QUOTA_EXCEEDED|QuotaExceeded|ErrorCodeQuota/i],
  [
    "quota",
    /exceed(s|ed|ing)? (the )?(approved|available|current|your|regional|project|account)?[^.;]{0,60}quota/i,
  ],
  ["quota", /quota[^.;]{0,80}(exceed|exhaust|insufficient|limit(:| of| is)? ?0\b|reached)/i],
  ["quota", /(insufficient|not enough|no remaining)[^.;]{0,40}quota|GPUS_ALL_REGIONS/i],
  [
    "quota",
    /(vCPU|core|instance|service|spot|request)s? limit of \d+|service limit|max spot instance count/i,
  ],
  ["quota", /\bLimitExceeded\b|NotAvailableForSubscription/],
  [
    "quota",
    /(your|reached (your|the)) [^.;]{0,40}(quota|limit) (allows )?for\b|reached your [\w ]{0,30}limit/i,
  ],
  ["quota", /(droplet|instance|server|core|vCPU|node) (count )?limit (exceeded|reached)/i],
  [
    "quota",
    /(exceeded|reached) the maximum number of|maximum number of [^.;]{0,40}(exceeded|reached)|quota L-[0-9A-F]{8}/i,
  ],

  ["stockout", /InsufficientInstanceCapacity|InsufficientHostCapacity|InsufficientReservedInstanceCapacity/i],
  ["stockout", /UnfulfillableCapacity|InsufficientCapacityOnOutpost|capacity-not-available/i],
  ["stockout", /(ZONE_)?RESOURCE_POOL_EXHAUSTED(_WITH_DETAILS)?|STOCKOUT|resource pool exhausted/i],
  [
    "stockout",
    /not (have )?enough resources available|out of resources?\b|OutOfResources?|placeholder-cannot-be-fulfilled/i,
  ],
  [
    "stockout",
    /(Zonal)?AllocationFailed|Overconstrained(Zonal)?AllocationRequest|SkuNotAvailable|FabricAllocation/i,
  ],
  ["stockout", /out of (host )?capacity|OutOf(Host)?Capacity|NotEnoughResources|OperationDenied\.NoStock/i],
  ["stockout", /cannot provision any more (instances|nodes)|(is|are) sold out|ResourceSoldOut|\bno stock\b/i],
  [
    "stockout",
    /no more capacity|no capacity (is )?available|(not|n't) (have )?(enough|sufficient)(?:[^.;]|\.(?=\S)){0,60}capacity(?! for \d+ IP)/i,
  ],
  ["stockout", /requested instance types were unavailable|currently (not available|unavailable) in /i],
  [
    "stockout",
    /no (spot )?capacity available|unable to allocate resources in the selected zone|SKU is unavailable/i,
  ],
  ["stockout", /out[ ._]of[ ._](resources?|stock)\b|resource_unavailable/i],

  [
    "network",
    /InsufficientFreeAddressesInSubnet|IP space exhausted|IP_SPACE_EXHAUSTED|IP_ADDRESS_EXHAUSTED/i,
  ],
  [
    "network",
    /(Private)?IpAddressLimitExceeded|SubnetIsFull|SubnetFull|no (free|available) (private )?(ip|address)/i,
  ],
  [
    "network",
    /InvalidSubnet|InvalidSecurityGroup|InvalidGroup\.NotFound|no (matching )?(subnets?|security groups?)\b/i,
  ],
  ["network", /ip[ ._]space[ ._]exhausted|NetworkInterfaceLimitExceeded|insufficient[^.;]{0,30}addresses/i],

  [
    "permission",
    /UnauthorizedOperation|AccessDenied|AuthFailure|not authorized to perform|OptInRequired|PendingVerification/i,
  ],
  [
    "permission",
    /(Linked)?AuthorizationFailed|PERMISSION_DENIED|permission denied|Required '[\w.]+' permission/i,
  ],
  [
    "permission",
    /NotAuthorizedOrNotFound|NotAuthenticated|\bForbidden\b|StatusCode: 40[13]|SERVICE_ACCOUNT|service[ .]account|RequestDisallowedByPolicy/i,
  ],
  ["permission", /ServiceLinkedRole|InvalidIamInstanceProfile|iamInstanceProfile|InvalidKMSKey/i],

  [
    "throttled",
    /RequestLimitExceeded|Throttling|TooManyRequests|RequestsThrottled|RATE_LIMIT_EXCEEDED|rate exceeded/i,
  ],

  ["config", /InvalidLaunchTemplate|LaunchTemplateNotFound|launch template/i],
  [
    "config",
    /InvalidAMIID|no amis? |ImageNotFound|ImageReference|PlatformImageNotFound|image[^.;]{0,60}not found/i,
  ],
  [
    "config",
    /\bUnsupported(Operation)?\b|not supported in your requested|unsupported configuration|configuration is currently not supported/i,
  ],
  ["config", /(accelerator|machine|instance) types? [^.;]{0,80}(not available in zone|satisfy)/i],
  [
    "config",
    /InvalidParameter|InvalidBlockDevice|InvalidRequest|InvalidTemplate|Invalid value for field|INVALID_FIELD/i,
  ],
  [
    "config",
    /Marketplace\w*Failed|OperationNotAllowed|NodeClassNotReady|node ?class[^.;]{0,40}not ready|SpotMaxPriceTooLow/i,
  ],
  ["config", /RESOURCE_NOT_FOUND|NotFound\b|does not exist/],

  [
    "not-registered",
    /fail(ed|ure) to register|waiting\.for\.instances\.timeout|registration.?timeout|never (joined|registered)/i,
  ],

  // Only where nothing within says why.
  ["stockout", /insufficient[ -]?capacity/i],
];

/** What a message about a launch means; undefined where it says nothing that is known. */
export function classifyLaunchError(text: string): LaunchError | undefined {
  for (const [fault, pattern] of ERRORS) {
    const words = pattern.exec(text)?.[0];
    if (words !== undefined) return { fault, words };
  }
  return undefined;
}
