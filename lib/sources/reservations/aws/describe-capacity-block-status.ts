import { z } from "zod";
import type { Issue } from "../../../model/snapshot.ts";
import type { ReservationFormat, ReservationSupplement } from "../format.ts";
import { field, hasKey, readRows } from "./rows.ts";

const key = "CapacityBlockStatuses";

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityBlockStatus.html */
const blockStatus = z.object({
  CapacityBlockId: field.text,
  InterconnectStatus: field.optionalText,
  TotalUnavailableCapacity: field.count.nullish(),
  CapacityReservationStatuses: z
    .array(z.object({ CapacityReservationId: field.text, TotalUnavailableCapacity: field.count.nullish() }), {
      error: "a list",
    })
    .nullish(),
});

type BlockStatus = z.infer<typeof blockStatus>;

/** How many hosts of a capacity block fail their status checks: paid for, and not usable. */
export const describeCapacityBlockStatus: ReservationFormat = {
  name: "aws ec2 describe-capacity-block-status",
  recognises: (document) => hasKey(document, key),
  parse: (document, { sourceId }) => {
    const { rows, problems, issues } = readRows(document, key, blockStatus, sourceId);
    return {
      reservations: [],
      supplements: rows.flatMap(brokenSlots),
      problems,
      issues: [...issues, ...rows.flatMap((row) => statusIssues(row, sourceId))],
    };
  },
};

function brokenSlots({ CapacityReservationStatuses }: BlockStatus): ReservationSupplement[] {
  return (CapacityReservationStatuses ?? []).flatMap(
    ({ CapacityReservationId: id, TotalUnavailableCapacity: broken }) =>
      broken == null ? [] : [{ provider: "aws", id, broken }],
  );
}

function statusIssues(row: BlockStatus, source: string): Issue[] {
  const { CapacityBlockId: id, InterconnectStatus: interconnect, TotalUnavailableCapacity: broken } = row;
  const issues: Issue[] = [];
  if (interconnect === "impaired") {
    const message = `${id}: AWS reports the interconnect between its instances as impaired`;
    issues.push({ code: "CapacityBlockInterconnectImpaired", severity: "warning", message, source });
  }
  if (broken && !row.CapacityReservationStatuses?.length) {
    const message = `${id}: AWS reports ${broken} instances as unavailable, but not of which reservation`;
    issues.push({ code: "CapacityBlockNotJoined", severity: "warning", message, source });
  }
  return issues;
}
