import { z } from "zod";
import type { Issue } from "../../../model/snapshot.ts";
import { problemOf } from "../document-problem.ts";
import type { ReservationFormat } from "../format.ts";
import { field, hasKey, readRows } from "./rows.ts";

/** Problems of one document that are told; more would bury the first. */
const PROBLEM_LIMIT = 3;

const block = z.object({ CapacityBlockId: field.text });

/** Names capacity blocks, of which describe-capacity-reservations says everything that is needed. */
export const describeCapacityBlocks: ReservationFormat = {
  name: "aws ec2 describe-capacity-blocks",
  recognises: (document) => hasKey(document, "CapacityBlocks"),
  parse: (document, { sourceId }) => {
    const { rows, problems, issues } = readRows(document, "CapacityBlocks", block, sourceId);
    const why = `${rows.length} capacity blocks are listed without their instance type and size: aws ec2 describe-capacity-reservations says both`;
    return { reservations: [], problems, issues: [...issues, ...note(rows.length, why, sourceId)] };
  },
};

const offering = z.object({ CapacityBlockOfferingId: field.text });

/** Fees of blocks that could be bought. They name no reservation, so that none of them can be told to be the fee of one. */
export const describeCapacityBlockOfferings: ReservationFormat = {
  name: "aws ec2 describe-capacity-block-offerings",
  recognises: (document) => hasKey(document, "CapacityBlockOfferings"),
  parse: (document, { sourceId }) => {
    const { rows, problems, issues } = readRows(document, "CapacityBlockOfferings", offering, sourceId);
    const why = `${rows.length} offerings of capacity blocks were not used: an offering names no reservation, so what was paid for one has to be written down as its price`;
    return { reservations: [], problems, issues: [...issues, ...note(rows.length, why, sourceId)] };
  },
};

const usage = z.object({
  CapacityReservationId: field.text,
  InstanceUsages: z
    .array(z.object({ AccountId: field.text, UsedInstanceCount: field.count }), { error: "a list" })
    .nullish(),
});

/** How the used instances of one reservation are spread over accounts; their sum is known from the reservation itself. */
export const getCapacityReservationUsage: ReservationFormat = {
  name: "aws ec2 get-capacity-reservation-usage",
  recognises: (document) => hasKey(document, "InstanceUsages") || hasKey(document, "CapacityReservationId"),
  parse: (document, { sourceId }) => {
    const { data, error } = usage.safeParse(document);
    if (!data) {
      const problems = error.issues.slice(0, PROBLEM_LIMIT).map((issue) => problemOf(issue, document));
      return { reservations: [], problems, issues: [] };
    }
    const shares = (data.InstanceUsages ?? []).map(
      (share) => `${share.AccountId}: ${share.UsedInstanceCount}`,
    );
    const what = `${data.CapacityReservationId} is used by ${shares.length} accounts (${shares.join(", ")})`;
    return { reservations: [], problems: [], issues: note(shares.length, what, sourceId) };
  },
};

function note(count: number, message: string, source: string): Issue[] {
  return count === 0 ? [] : [{ code: "ReservationDocumentNote", severity: "info", message, source }];
}
