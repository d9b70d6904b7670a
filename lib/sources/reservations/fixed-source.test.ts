import { expect, it } from "vitest";
import { createFixedSource } from "./fixed-source.ts";

const LISTED = { reservations: [{ id: "cr-1", provider: "aws", instanceType: "p5.48xlarge", count: 2 }] };

const STATUS = {
  CapacityBlockStatuses: [
    {
      CapacityBlockId: "cb-1",
      CapacityReservationStatuses: [{ CapacityReservationId: "cr-1", TotalUnavailableCapacity: 1 }],
    },
  ],
};

const read = (...documents: unknown[]) =>
  createFixedSource({ documents, id: "reservations/aws", now: () => 5 }).read();

it("joins what several documents say", () => {
  expect(read(LISTED, STATUS)).toMatchObject({
    reservations: { known: true, items: [{ id: "cr-1", count: 2, sourceId: "reservations/aws" }] },
    supplements: [{ id: "cr-1", broken: 1 }],
    status: { id: "reservations/aws", state: "live", asOf: 5 },
    issues: [],
  });
});

it("keeps the others where one is wrong, and does not say that this is all", () => {
  const { reservations, issues } = read(LISTED, { servers: [] });
  expect(reservations).toMatchObject({ known: false, items: [{ id: "cr-1" }] });
  expect(issues).toMatchObject([{ code: "ReservationsInvalid", source: "reservations/aws" }]);
});
