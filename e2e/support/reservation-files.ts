const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The moment `hours` from now, as the generic record and AWS write it. */
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

/**
 * Reservations in every state, in the generic record: `lab` (nodes with the label `pool: lab`) ends within a day, `next`
 * starts in five days, `old` has ended, and nobody says what `=idle` costs.
 */
export function genericFile(): string {
  const slots = { provider: "onprem", instanceType: "dgx", gpuModel: "H100", gpusPerInstance: 8 };
  const priced = { pricePerGpuHour: 2, currency: "USD" };
  return JSON.stringify({
    reservations: [
      {
        id: "lab",
        ...slots,
        ...priced,
        count: 3,
        end: inHours(20),
        selector: { matchLabels: { pool: "lab" } },
        owner: "lab team",
      },
      { id: "next", ...slots, ...priced, count: 4, start: inHours(5 * 24 + 1), end: inHours(19 * 24) },
      { id: "old", ...slots, ...priced, count: 1, start: inHours(-30 * 24), end: inHours(-3 * 24) },
      { id: "=idle", ...slots, count: 1, zone: "room 1, left" },
    ],
  });
}

/** Two reservations as `aws ec2 describe-capacity-reservations` prints them, one in a state that nobody knows. */
export function awsFile(): string {
  const common = {
    InstancePlatform: "Linux/UNIX",
    AvailabilityZone: "us-east-1a",
    OwnerId: "123456789012",
    Tenancy: "default",
    InstanceMatchCriteria: "targeted",
    StartDate: new Date(Date.now() - 30 * DAY).toISOString(),
    EndDateType: "unlimited",
  };
  return JSON.stringify({
    CapacityReservations: [
      {
        ...common,
        CapacityReservationId: "cr-0a11",
        InstanceType: "p5.48xlarge",
        TotalInstanceCount: 2,
        AvailableInstanceCount: 2,
        State: "active",
      },
      {
        ...common,
        CapacityReservationId: "cr-0b22",
        InstanceType: "p5.48xlarge",
        TotalInstanceCount: 1,
        AvailableInstanceCount: 1,
        State: "renovating",
      },
    ],
  });
}
