import { expect, it } from "vitest";
import type { NodeRecord } from "../model/kubernetes.ts";
import type { Reservation } from "../model/reservation.ts";
import { aNode, aReservation, aSnapshot, NOW } from "../testing/builders.ts";
import { buildFleet } from "./build-fleet.ts";
import { type ReservationMemory, rememberReserved } from "./past-reservation.ts";

const LABEL = { "karpenter.k8s.aws/capacity-reservation-id": "cr-1" };
const node = (rest: Partial<NodeRecord> = {}) => aNode({ name: "a", uid: "u", ...rest });
const block = (rest: Partial<Reservation> = {}) => aReservation({ id: "cr-1", name: "train", ...rest });
const fleetOf = (nodes: NodeRecord[], reservations: Reservation[], now = NOW, memory?: ReservationMemory) =>
  buildFleet(aSnapshot({ nodes, reservations }), now, memory);

it("remembers a node that lost its label, and the reservation with it", () => {
  const before = rememberReserved(fleetOf([node({ labels: LABEL })], [block()]), new Map(), NOW);
  const later = fleetOf([node()], [], NOW + 60_000, before);
  expect(later.nodes.get("a")?.past).toEqual({ id: "cr-1", name: "train", until: NOW });
  expect(later.pools.map(({ id }) => id)).toEqual(["instance-type/unknown"]);
  // What is remembered stays as it was seen last.
  expect(rememberReserved(later, before, NOW + 60_000)).toEqual(before);
});

it("says of a node that still names an ended reservation when that ended", () => {
  const ended = block({ end: NOW - 5 });
  expect(fleetOf([node({ labels: LABEL })], [ended]).nodes.get("a")?.past).toMatchObject({ until: NOW - 5 });
});

it("takes a reservation that has not begun for no past", () => {
  const future = block({ start: NOW + 5, end: NOW + 9 });
  expect(fleetOf([node({ labels: LABEL })], [future]).nodes.get("a")?.past).toBeUndefined();
});

it("does not guess when a cancelled one ended", () => {
  const cancelled = block({ rawState: "cancelled", end: NOW + 5 });
  expect(fleetOf([node({ labels: LABEL })], [cancelled]).nodes.get("a")?.past).toEqual({
    id: "cr-1",
    name: "train",
    until: undefined,
  });
});

it("forgets nodes that are gone, and a new node of the same name", () => {
  const before = rememberReserved(fleetOf([node({ labels: LABEL })], [block()]), new Map(), NOW);
  expect(rememberReserved(fleetOf([], []), before, NOW).size).toBe(0);
  expect(fleetOf([node({ uid: "other" })], [], NOW, before).nodes.get("a")?.past).toBeUndefined();
});

it("does not remember what it only inferred", () => {
  const labels = { "node.kubernetes.io/instance-type": "p5.48xlarge" };
  const open = block({ selector: undefined, instanceType: "p5.48xlarge" });
  const fleet = fleetOf([node({ labels })], [open]);
  expect(fleet.nodes.get("a")?.poolId).toBe("reservation/cr-1");
  expect(rememberReserved(fleet, new Map(), NOW).size).toBe(0);
});
