import { deviceKey, devicesInForce, type PooledDevice } from "../../layers/device-pools.ts";
import { selectsDevice } from "../../layers/device-selection.ts";
import type { Fleet } from "../../layers/fleet.ts";
import type { DeviceClassRecord, DeviceWish, ResourceClaimRecord } from "../../model/facts/devices.ts";
import type { PodRecord, PodResourceClaim } from "../../model/kubernetes.ts";
import { asksByClaim } from "../ask.ts";
import { eventEvidence } from "../evidence.ts";
import { perFleet } from "../per-fleet.ts";
import type { Finding, PlacementQuestion, Rule, Sure } from "../question.ts";
import type { Evidence } from "../verdict.ts";
import { countInWords, listInWords, shellWord } from "../wording.ts";

interface Claims {
  readonly byName: ReadonlyMap<string, ResourceClaimRecord>;
  readonly classes: ReadonlyMap<string, DeviceClassRecord>;
  /** Devices that drivers offer, and those of them that are given to some claim. */
  readonly offered: readonly PooledDevice[];
  readonly given: Given;
}

interface Given {
  readonly keys: ReadonlySet<string>;
  readonly physical: ReadonlySet<string>;
}

const claimsOf = perFleet(({ facts }): Claims => {
  const { resourceClaims, resourceSlices, deviceClasses } = facts;
  const claims = resourceClaims.items.filter(({ kind }) => kind === "ResourceClaim");
  const offered = devicesInForce(resourceSlices.items);
  const keys = claims.flatMap(({ allocation = [] }) =>
    allocation
      .filter(({ adminAccess }) => !adminAccess)
      .map((one) => deviceKey(one.driver, one.pool, one.device)),
  );
  return {
    byName: new Map(claims.map((claim) => [`${claim.namespace}/${claim.name}`, claim])),
    classes: new Map(deviceClasses.items.map((one) => [one.name, one])),
    offered: [...offered.values()],
    given: { keys: new Set(keys), physical: new Set(keys.map((key) => offered.get(key)?.physical ?? key)) },
  };
});

/**
 * A node has room, and a claim of the pod has no devices. With devices free, the scheduler or the claim is at fault: its
 * message tells which. https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/
 */
export const deviceClaimUnallocated: Rule<PlacementQuestion> = (question) => {
  const { pod, placement, words, fleet } = question;
  if (pod.resourceClaims.length === 0 || placement.roomy.length === 0) return undefined;
  const said = SAYS_CLAIMS.exec(words?.refusal ?? "")?.[0];
  const trouble = pod.resourceClaims
    .map((one) => troubleOf(one, pod, fleet))
    .filter((one) => one !== undefined)
    .sort((a, b) => b.weight - a.weight);
  const [first] = trouble;
  // Claims are given devices as their pod is placed: that one has none yet says nothing by itself.
  if (!first || (first.weight === 0 && said === undefined)) return undefined;
  const sure: Sure =
    said !== undefined
      ? { certainty: "high", why: "the claim and the scheduler's message agree" }
      : {
          certainty: "medium",
          why: "the claim shows it; the scheduler does not speak of it",
        };
  const isFree = first.weight === 0;
  const but = isFree ? `; the scheduler says: ${words?.refusal.trim() || "nothing"}` : "";
  return {
    // What no device could ever give is the request's own fault.
    reason: first.weight === NEVER ? "RequestNeverFits" : "DeviceClaimUnallocated",
    sure,
    isBlurred: true,
    evidence: [...trouble.flatMap(({ evidence }) => evidence).slice(0, 4), ...(words?.evidence ?? [])],
    sentence: `${pod.name} would fit on ${listInWords(placement.roomy.map((fit) => fit.facts.node.record.name))}, but ${first.words}${but}.`,
    step: first.words,
    next: [
      ...pod.resourceClaims.flatMap(({ claimName }) =>
        claimName === undefined
          ? []
          : [`kubectl -n ${shellWord(pod.namespace)} describe resourceclaim ${shellWord(claimName)}`],
      ),
      isFree
        ? "Devices are free: look at the scheduler's log and version, or let the pod be made again."
        : `kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`,
    ],
    reads: ["resourceClaims", "resourceSlices", "deviceClasses"],
  };
};

/** Nothing offers what a claim asks for, since the device class that it names does not exist. */
export const deviceClassMissing: Rule<PlacementQuestion> = ({ pod, placement, fleet, words }) => {
  if (pod.resourceClaims.length === 0 || placement.offering.length > 0) return undefined;
  const { deviceClasses } = fleet.facts;
  if (!deviceClasses.known || deviceClasses.items.length === 0) return undefined;
  const { byName, classes } = claimsOf(fleet);
  for (const { claimName = "" } of pod.resourceClaims) {
    const claim = byName.get(`${pod.namespace}/${claimName}`);
    const wishes = claim?.requests.flatMap(({ alternatives }) => alternatives) ?? [];
    const [first] = wishes;
    if (!claim || !first || wishes.some((one) => classes.has(one.deviceClassName))) continue;
    const names = listInWords([...classes.keys()]);
    return {
      reason: "DeviceClaimUnallocated",
      sure: { certainty: "high", why: "all device classes are read, and none has that name" },
      isBlurred: true,
      evidence: [
        {
          object: { kind: claim.kind, namespace: claim.namespace, name: claim.name },
          field: "spec.devices.requests[].deviceClassName",
          value: first.deviceClassName,
          at: claim.createdAt,
        },
        ...(words?.evidence ?? []),
      ],
      sentence: `${pod.name} waits for its claim ${claim.name}, which asks for device class ${first.deviceClassName}: there is no such class, only ${names}.`,
      step: `device class ${first.deviceClassName} does not exist`,
      next: ["kubectl get deviceclasses", `Name a class that exists in claim ${claim.name} or its template.`],
      reads: ["resourceClaims", "deviceClasses"],
    };
  }
  return undefined;
};

/** What kube-scheduler and its plugin for dynamic resources print, from 1.26 on. */
const SAYS_CLAIMS =
  /cannot allocate all claims|DynamicResources|resource ?claims?\b[^,]*|waiting for (dynamic )?resource[^,]*|device class[^,]*|could not (allocate|create)[^,]*claim/i;

const NEVER = 4;

interface Trouble {
  readonly words: string;
  /** 0: it is merely not allocated yet. NEVER: no device would do. */
  readonly weight: number;
  readonly evidence: readonly Evidence[];
}

function troubleOf(listed: PodResourceClaim, pod: PodRecord, fleet: Fleet): Trouble | undefined {
  const { claimName, templateName } = listed;
  if (claimName === undefined) {
    const failure = fleet.events
      .ofPod(pod.namespace, pod.name)
      .find(({ reason }) => /ResourceClaim/.test(reason));
    const why = failure ? `: ${failure.message}` : "";
    return {
      words: `no claim was made from its template ${templateName ?? listed.name}${why}`,
      weight: 3,
      evidence: failure ? [eventEvidence(failure)] : [],
    };
  }
  const claim = claimsOf(fleet).byName.get(`${pod.namespace}/${claimName}`);
  if (!claim) {
    const words = `its claim ${claimName} does not exist`;
    return fleet.facts.resourceClaims.known ? { words, weight: 3, evidence: [] } : undefined;
  }
  if (claim.allocation !== undefined) return undefined;
  return unallocated(claim, fleet);
}

function unallocated(claim: ResourceClaimRecord, fleet: Fleet): Trouble {
  const { kind, namespace, name } = claim;
  const object = { kind, namespace, name };
  const asked = claim.requests
    .flatMap(({ alternatives }) => alternatives.slice(0, 1))
    .map(({ count, deviceClassName }) => `${count ?? "all"} of ${deviceClassName}`);
  const evidence: Evidence[] = [
    {
      object,
      field: "status.allocation",
      value: `absent; asks for ${listInWords(asked)}`,
      at: claim.createdAt,
    },
  ];
  const wishes = claim.requests.flatMap(({ alternatives }) => alternatives);
  const { classes } = claimsOf(fleet);
  const unknown = wishes.find(({ deviceClassName }) => !classes.has(deviceClassName));
  if (
    unknown &&
    fleet.facts.deviceClasses.known &&
    wishes.every((one) => !classes.has(one.deviceClassName))
  ) {
    const words = `its claim ${name} asks for device class ${unknown.deviceClassName}, which does not exist`;
    return { words, weight: 3, evidence };
  }
  for (const { alternatives } of claim.requests) {
    const found = alternatives.map((one) => shortOf(one, fleet));
    const [short] = found;
    if (short !== undefined && !found.includes(undefined)) {
      const never = found.every((one) => one?.never);
      return {
        words: `its claim ${name} gets no device: ${short.words}`,
        weight: never ? NEVER : 2,
        evidence,
      };
    }
  }
  return {
    words: `its claim ${name} (${listInWords(asked)}) is not allocated though devices are free`,
    weight: 0,
    evidence,
  };
}

/** Why no node, or no place beyond nodes, has the devices free; undefined where one may have them, or nothing tells. */
function shortOf(
  wish: DeviceWish,
  fleet: Fleet,
): { readonly words: string; readonly never: boolean } | undefined {
  const { offered, given, classes } = claimsOf(fleet);
  const selectors = [...(classes.get(wish.deviceClassName)?.selectors ?? []), ...wish.selectors];
  if (offered.length === 0 || selectors.length === 0) return undefined;
  const matching = offered.filter((one) => selectsDevice(selectors, one) !== false);
  const what = `${wish.count ?? 1} of ${wish.deviceClassName}`;
  const most = (devices: readonly PooledDevice[]) =>
    Math.max(
      0,
      ...[...Map.groupBy(devices, ({ nodeName }) => nodeName ?? "").values()].map((list) => list.length),
    );
  if (most(matching) < (wish.count ?? 1)) {
    const words = `no node has ${what} that its selectors allow${matching.length > 0 ? `, at most ${most(matching)}` : ""}`;
    return { words, never: true };
  }
  const free = matching.filter((one) => one.isUsable && isFree(one, given));
  if (most(free) >= (wish.count ?? 1)) return undefined;
  const many = countInWords(matching.length, "device");
  return { words: `${free.length} of the ${many} that fit are free, and no node has ${what}`, never: false };
}

/** A whole device is free while none of its parts is given away. */
function isFree({ driver, pool, device, physical, isPart }: PooledDevice, given: Given): boolean {
  return !given.keys.has(deviceKey(driver, pool, device.name)) && (isPart || !given.physical.has(physical));
}

/** The same finding for devices that pods get by claims: what is short there are claims that cannot be allocated. */
export function asDeviceClaim(finding: Finding, { ask }: PlacementQuestion): Finding {
  if (!asksByClaim(ask)) return finding;
  return {
    ...finding,
    reason: "DeviceClaimUnallocated",
    isBlurred: true,
    reads: ["resourceClaims", "resourceSlices"],
  };
}
