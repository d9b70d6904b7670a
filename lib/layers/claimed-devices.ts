import { claimedResource } from "../model/accelerators.ts";
import type { DeviceClassRecord, DeviceWish, ResourceClaimRecord } from "../model/facts/devices.ts";
import type { Facts } from "../model/facts/facts.ts";
import type { NodeRecord, PodRecord, PodResourceClaim, Resources } from "../model/kubernetes.ts";
import { deviceKey, devicesInForce, type PooledDevice } from "./device-pools.ts";
import { driverOf, selectsDevice } from "./device-selection.ts";

/** Nodes and pods with the accelerators of dynamic resource allocation among their resources. */
export interface WithClaimedDevices {
  readonly nodes: readonly NodeRecord[];
  readonly pods: readonly PodRecord[];
  /** Node name -> pairs of resource names that stand for the same devices: one by claims, one by requests. */
  readonly twins: ReadonlyMap<string, readonly (readonly [claimed: string, requested: string])[]>;
}

/**
 * Gives every node the devices that drivers offer on it, and every pod those that it was allocated or asks for, under
 * names of their own (`claimedResource`). Pods that hold parts of one device share it in fractions that add up to one.
 */
export function withClaimedDevices(
  nodes: readonly NodeRecord[],
  pods: readonly PodRecord[],
  facts: Facts,
): WithClaimedDevices {
  const devices = devicesInForce(facts.resourceSlices.items);
  const offered = [...devices.values()].filter(({ driver }) => claimedResource(driver) !== undefined);
  const claimants = pods.some(({ resourceClaims }) => resourceClaims.length > 0);
  if (offered.length === 0 && !claimants) return { nodes, pods, twins: new Map() };
  const classes = new Map(facts.deviceClasses.items.map((one) => [one.name, one]));
  const offers = offersByNode(offered);
  const twins = new Map<string, readonly (readonly [string, string])[]>();
  const withOffers = nodes.map((node) => {
    const own = offers.get(node.name);
    if (!own) return node;
    const pairs = twinsOf(node, own, [...classes.values()]);
    if (pairs.length > 0) twins.set(node.name, pairs);
    return offering(node, own, pairs);
  });
  const claimed = new Map(asked(pods, facts, classes, devices));
  for (const [pod, own] of held(pods, facts, devices)) {
    // A pod without a node may share what others hold, and ask for more.
    claimed.set(pod, pod.nodeName === undefined ? sumOf(claimed.get(pod) ?? {}, own) : own);
  }
  const hostnames = new Map(nodes.map(({ name, labels }) => [name, labels[HOSTNAME]]));
  const pins = pinsOf(pods, facts, devices);
  return {
    nodes: withOffers,
    pods: pods.map((pod) => {
      const amounts = claimed.get(pod);
      if (!amounts) return pod;
      const hostname = hostnames.get(pins.get(pod) ?? "");
      const pin = hostname === undefined ? {} : { [HOSTNAME]: hostname };
      const nodeSelector = { ...pod.nodeSelector, ...pin };
      return { ...pod, nodeSelector, requests: { ...pod.requests, ...amounts } };
    }),
    twins,
  };
}

const HOSTNAME = "kubernetes.io/hostname";

/** Pods without a node that name a claim whose devices are on one: there they have to go. */
function pinsOf(
  pods: readonly PodRecord[],
  facts: Facts,
  devices: ReadonlyMap<string, PooledDevice>,
): ReadonlyMap<PodRecord, string> {
  const claims = claimsByName(facts.resourceClaims.items);
  const pins = new Map<PodRecord, string>();
  for (const pod of pods.filter(isUnplaced)) {
    for (const { driver, pool, device } of pod.resourceClaims.flatMap(
      (one) => claimOf(pod, one, claims)?.allocation ?? [],
    )) {
      const nodeName = devices.get(deviceKey(driver, pool, device))?.nodeName;
      if (nodeName !== undefined) pins.set(pod, nodeName);
    }
  }
  return pins;
}

function isUnplaced({ nodeName, phase }: PodRecord): boolean {
  return nodeName === undefined && phase === "Pending";
}

/** Devices of one node. */
interface Offer {
  readonly capacity: Resources;
  readonly allocatable: Resources;
  readonly devices: readonly PooledDevice[];
}

function offersByNode(devices: readonly PooledDevice[]): Map<string, Offer> {
  const byNode = new Map<string, PooledDevice[]>();
  for (const device of devices) {
    if (device.nodeName === undefined) continue;
    const list = byNode.get(device.nodeName);
    if (list) list.push(device);
    else byNode.set(device.nodeName, [device]);
  }
  return new Map(
    [...byNode].map(([name, list]) => [
      name,
      {
        capacity: countDevices(list),
        allocatable: countDevices(list.filter((one) => one.isUsable)),
        devices: list,
      },
    ]),
  );
}

/** Physical devices, and beside them the parts. */
function countDevices(devices: readonly PooledDevice[]): Resources {
  const whole = new Map<string, Set<string>>();
  const counts: Record<string, number> = {};
  for (const { driver, physical, isPart } of devices) {
    const name = claimedResource(driver);
    const part = isPart ? claimedResource(driver, true) : undefined;
    if (name !== undefined) whole.set(name, (whole.get(name) ?? new Set()).add(physical));
    if (part !== undefined) counts[part] = (counts[part] ?? 0) + 1;
  }
  for (const [name, found] of whole) counts[name] = found.size;
  return counts;
}

/** Where a class offers its devices under a resource's name too, and no device plugin advertises that name. */
function twinsOf(
  node: NodeRecord,
  { devices }: Offer,
  classes: readonly DeviceClassRecord[],
): (readonly [string, string])[] {
  return classes.flatMap(({ extendedResourceName, selectors }) => {
    if (extendedResourceName === undefined || (node.capacity?.[extendedResourceName] ?? 0) > 0) return [];
    const device = devices.find((one) => !one.isPart && selectsDevice(selectors, one) !== false);
    const claimed = device && claimedResource(device.driver);
    return claimed === undefined ? [] : [[claimed, extendedResourceName] as const];
  });
}

function offering(node: NodeRecord, offer: Offer, twins: readonly (readonly [string, string])[]): NodeRecord {
  const twinned = (amounts: Resources): Resources => ({
    ...amounts,
    ...Object.fromEntries(twins.map(([claimed, requested]) => [requested, amounts[claimed] ?? 0])),
  });
  const none = Object.fromEntries(Object.keys(offer.capacity).map((name) => [name, 0]));
  return {
    ...node,
    capacity: { ...node.capacity, ...twinned(offer.capacity) },
    allocatable: { ...node.allocatable, ...twinned({ ...none, ...offer.allocatable }) },
  };
}

/**
 * What pods have been allocated, a device that several hold in shares that add up to it. A pod without a node that names
 * a claim of others has its share too: no more is needed for it.
 */
function held(
  pods: readonly PodRecord[],
  facts: Facts,
  devices: ReadonlyMap<string, PooledDevice>,
): Map<PodRecord, Resources> {
  const holders = new Map<string, { readonly resource: string; readonly pods: Set<PodRecord> }>();
  const parts = new Map<PodRecord, Record<string, number>>();
  const claims = claimsByName(facts.resourceClaims.items);
  for (const pod of pods) {
    if (pod.nodeName === undefined && !isUnplaced(pod)) continue;
    if (pod.phase === "Succeeded" || pod.phase === "Failed") continue;
    for (const { driver, pool, device, adminAccess } of pod.resourceClaims.flatMap(
      (one) => claimOf(pod, one, claims)?.allocation ?? [],
    )) {
      const resource = claimedResource(driver);
      if (resource === undefined || adminAccess) continue;
      const known = devices.get(deviceKey(driver, pool, device));
      const physical = known?.physical ?? deviceKey(driver, pool, device);
      const holder = holders.get(physical) ?? { resource, pods: new Set<PodRecord>() };
      holders.set(physical, holder);
      holder.pods.add(pod);
      const part = known?.isPart ? claimedResource(driver, true) : undefined;
      if (part !== undefined) add(parts, pod, part, 1);
    }
  }
  for (const { resource, pods: sharers } of holders.values()) {
    const bound = [...sharers].filter((pod) => !isUnplaced(pod));
    const waiting = [...sharers].filter(isUnplaced);
    // The device stays held as a whole, whoever else waits to share it.
    for (const pod of waiting) add(parts, pod, resource, 1 / SHARES);
    const rest = 1 - waiting.length / SHARES;
    const share = Math.floor((rest * SHARES) / Math.max(1, bound.length)) / SHARES;
    bound.forEach((pod, index) => {
      add(parts, pod, resource, index === 0 ? rest - share * (bound.length - 1) : share);
    });
  }
  return parts;
}

/** A power of two: shares of a device add up to exactly one. */
const SHARES = 2 ** 20;

function add(amounts: Map<PodRecord, Record<string, number>>, pod: PodRecord, name: string, amount: number) {
  const own = amounts.get(pod) ?? {};
  own[name] = (own[name] ?? 0) + amount;
  amounts.set(pod, own);
}

function sumOf(one: Resources, other: Resources): Resources {
  const own = Object.entries(other).map(([name, amount]) => [name, (one[name] ?? 0) + amount]);
  return { ...one, ...Object.fromEntries(own) };
}

/** What pods ask for by claims that were given nothing yet. */
function asked(
  pods: readonly PodRecord[],
  facts: Facts,
  classes: ReadonlyMap<string, DeviceClassRecord>,
  devices: ReadonlyMap<string, PooledDevice>,
): Map<PodRecord, Resources> {
  const claims = claimsByName(facts.resourceClaims.items);
  const offered = [...devices.values()];
  const only = onlyResource(facts, offered);
  const resources = new Map<string, string | undefined>();
  const resourceOf = (wish: DeviceWish): string | undefined => {
    const name = wish.deviceClassName;
    if (!resources.has(name)) resources.set(name, classResource(name, classes.get(name), offered));
    return resources.get(name);
  };
  const amounts = new Map<PodRecord, Record<string, number>>();
  for (const pod of pods) {
    for (const one of pod.resourceClaims) {
      const claim = claimOf(pod, one, claims);
      if (!claim && only !== undefined && pod.phase === "Pending") add(amounts, pod, only, 1);
      // What a failed pod held is told by what it asked for, and a claim that others hold takes nothing more.
      if (!claim || (claim.allocation !== undefined && pod.phase === "Pending")) continue;
      for (const { alternatives } of claim.requests) {
        const wish = alternatives.find((each) => !each.adminAccess && resourceOf(each) !== undefined);
        const resource = wish && resourceOf(wish);
        if (wish && resource !== undefined) add(amounts, pod, resource, wish.count ?? 1);
      }
    }
  }
  return amounts;
}

/**
 * What a claim asks for that does not exist, nor the template that it is to be made from: devices of the only kind that
 * drivers offer; undefined where there are several kinds or others than accelerators, or where claims cannot be read.
 */
function onlyResource({ resourceClaims }: Facts, offered: readonly PooledDevice[]): string | undefined {
  if (!resourceClaims.known) return undefined;
  const [only, ...others] = new Set(offered.map(({ driver }) => claimedResource(driver)));
  return others.length === 0 ? only : undefined;
}

/** The resource that a class's devices count as; undefined where they are no accelerators. */
function classResource(
  name: string,
  found: DeviceClassRecord | undefined,
  devices: readonly PooledDevice[],
): string | undefined {
  const selectors = found?.selectors ?? [];
  const matching = devices.filter((one) => selectors.length > 0 && selectsDevice(selectors, one) === true);
  const driver = driverOf(selectors) ?? matching[0]?.driver ?? name.replace(/^(mig|vfio\.gpu)\./, "gpu.");
  const isPart = matching.length > 0 ? matching.every((one) => one.isPart) : /\bmig\b/.test(name);
  return claimedResource(driver, isPart);
}

function claimsByName(claims: readonly ResourceClaimRecord[]): ReadonlyMap<string, ResourceClaimRecord> {
  return new Map(claims.map((claim) => [`${claim.kind}/${claim.namespace}/${claim.name}`, claim]));
}

/** The claim that a pod lists, or the template that it will be made from. */
function claimOf(
  pod: PodRecord,
  { claimName, templateName }: PodResourceClaim,
  claims: ReadonlyMap<string, ResourceClaimRecord>,
): ResourceClaimRecord | undefined {
  const claim = claimName && claims.get(`ResourceClaim/${pod.namespace}/${claimName}`);
  return claim || claims.get(`ResourceClaimTemplate/${pod.namespace}/${templateName ?? ""}`);
}
