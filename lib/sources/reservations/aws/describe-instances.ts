import { z } from "zod";
import type { ReservationFormat, ReservationSupplement } from "../format.ts";
import { field, hasKey, readRows } from "./rows.ts";

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Instance.html */
const instance = z.object({
  InstanceId: field.text,
  CapacityReservationId: field.optionalText,
  State: z.object({ Name: field.optionalText }).nullish(),
});

/** Instances that were launched together, which AWS calls a reservation too: it reserves nothing. */
const launch = z.object({ Instances: z.array(instance, { error: "a list" }) });

type Instance = z.infer<typeof instance>;

/** Which instances run in which capacity reservation: `{Reservations: [{Instances: […]}]}`. */
export const describeInstances: ReservationFormat = {
  name: "aws ec2 describe-instances",
  recognises: (document) => hasKey(document, "Reservations"),
  parse: (document, { sourceId }) => {
    const { rows, problems, issues } = readRows(document, "Reservations", launch, sourceId);
    return {
      reservations: [],
      supplements: machinesOf(rows.flatMap((row) => row.Instances)),
      problems,
      issues,
    };
  },
};

function machinesOf(instances: readonly Instance[]): ReservationSupplement[] {
  const byReservation = Map.groupBy(
    instances.filter(takesSlot),
    ({ CapacityReservationId }) => CapacityReservationId,
  );
  return [...byReservation].flatMap(([id, members]) =>
    id ? [{ provider: "aws", id, machines: members.map(({ InstanceId }) => InstanceId.toLowerCase()) }] : [],
  );
}

/** One that is stopped or terminated has given its slot back, even where it still names the reservation. */
function takesSlot({ State }: Instance): boolean {
  const name = State?.Name;
  return !name || name === "running" || name === "pending";
}
