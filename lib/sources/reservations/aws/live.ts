import { z } from "zod";
import type { ReservationState } from "../../../model/reservation.ts";
import type { Clock } from "../../kubernetes/clock.ts";
import type { ParsedReservations } from "../format.ts";
import { createPolledSource } from "../live/polled-source.ts";
import { readPart } from "../live/read-part.ts";
import type { ReservationSource } from "../reservation-source.ts";
import { describeCapacityBlockExtensionHistory } from "./describe-capacity-block-extension-history.ts";
import { describeCapacityBlockStatus } from "./describe-capacity-block-status.ts";
import { describeCapacityReservations } from "./describe-capacity-reservations.ts";
import { describeInstances } from "./describe-instances.ts";
import { type Ec2, FILTER_VALUES, openEc2 } from "./ec2.ts";

/** AWS reservations read from EC2 itself: those of one account, or shared with it, in some regions. */
export const awsLiveConfig = z.strictObject({
  provider: z.literal("aws"),
  regions: z
    .array(z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d+$/, { error: "a region such as us-east-2" }), {
      error: "a list of regions such as [us-east-2]",
    })
    .min(1, { error: "at least one region" }),
  /** A profile of the AWS configuration files, for a further account or a role; else the SDK's own order of places. */
  profile: z.string({ error: "the name of an AWS profile" }).min(1).optional(),
  /** Base URL of EC2, where it is not AWS' own. */
  endpoint: z.url({ protocol: /^https?$/, error: "a URL such as https://ec2.example" }).optional(),
});

export type AwsLiveConfig = z.infer<typeof awsLiveConfig>;

/** One source for each region, `reservations/aws/REGION` or `reservations/aws/PROFILE/REGION`. Nothing is loaded or opened before `start`. */
export function createAwsSources(
  { regions, profile, endpoint }: AwsLiveConfig,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
): ReservationSource[] {
  return [...new Set(regions)].map((region) => {
    const id = ["reservations/aws", profile, region].filter(Boolean).join("/");
    let opened: Promise<Ec2> | undefined;
    return createPolledSource({
      id,
      clock,
      random,
      poll: async (signal) => {
        opened ??= openEc2({ region, profile, endpoint });
        return readRegion(await opened, { signal, sourceId: id });
      },
    });
  });
}

/** Reservations with what EC2 says of them elsewhere; the further calls are made only where there is something to ask. */
async function readRegion(
  ec2: Ec2,
  { signal, sourceId }: { readonly signal: AbortSignal; readonly sourceId: string },
): Promise<ParsedReservations> {
  const listed = describeCapacityReservations.parse(await ec2.describeCapacityReservations(signal), {
    sourceId,
  });
  const inState = (...states: readonly ReservationState[]) =>
    listed.reservations.filter(({ lifecycle }) => lifecycle && states.includes(lifecycle.state));
  const blocks = inState("scheduled", "active").filter(({ market }) => market === "block");
  const active = inState("active").map(({ id }) => id);
  const parts = [
    ...(blocks.length > 0 ? blockParts(ec2, signal) : []),
    ...chunks(active, FILTER_VALUES).map((ids) => instancePart(ec2, ids, signal)),
  ];
  const read: ParsedReservations[] = [listed];
  for (const { format, ...part } of parts) {
    const { value, issues } = await readPart({ ...part, sourceId });
    if (value !== undefined) read.push(format.parse(value, { sourceId }));
    read.push({ reservations: [], problems: [], issues });
  }
  return {
    reservations: listed.reservations,
    supplements: read.flatMap(({ supplements }) => supplements ?? []),
    problems: read.flatMap(({ problems }) => problems),
    issues: read.flatMap(({ issues }) => issues),
  };
}

function blockParts(ec2: Ec2, signal: AbortSignal) {
  return [
    {
      permission: "ec2:DescribeCapacityBlockStatus",
      missing: "which slots of capacity blocks AWS reports as broken",
      format: describeCapacityBlockStatus,
      read: () => ec2.describeCapacityBlockStatus(signal),
    },
    {
      permission: "ec2:DescribeCapacityBlockExtensionHistory",
      missing: "what was paid to extend capacity blocks",
      format: describeCapacityBlockExtensionHistory,
      read: () => ec2.describeCapacityBlockExtensionHistory(signal),
    },
  ];
}

function instancePart(ec2: Ec2, reservationIds: readonly string[], signal: AbortSignal) {
  return {
    permission: "ec2:DescribeInstances",
    missing: "which instances run in which reservation, where their nodes have no label that says it",
    format: describeInstances,
    read: () => ec2.describeInstances(reservationIds, signal),
  };
}

function chunks<T>(items: readonly T[], size: number): (readonly T[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
