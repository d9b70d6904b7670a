import { z } from "zod";
import type { Issue } from "../../../model/snapshot.ts";
import type { ReservationFormat, ReservationSupplement } from "../format.ts";
import { field, hasKey, readRows } from "./rows.ts";

const key = "CapacityBlockExtensions";

/** https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityBlockExtension.html */
const extension = z
  .object({
    CapacityReservationId: field.text,
    CapacityBlockExtensionStatus: field.text,
    CapacityBlockExtensionStartDate: field.moment,
    CapacityBlockExtensionEndDate: field.moment,
    UpfrontFee: z.string().regex(/^\d{1,9}(\.\d+)?$/, { error: "a fee such as 5015.8680" }),
    CurrencyCode: z
      .string({ error: "a currency such as USD" })
      .regex(/^[A-Za-z]{3}$/, { error: "a currency such as USD" }),
  })
  .refine((row) => row.CapacityBlockExtensionEndDate > row.CapacityBlockExtensionStartDate, {
    path: ["CapacityBlockExtensionEndDate"],
    error: "a time after its start",
  });

type Extension = z.infer<typeof extension>;

/** What was paid to extend capacity blocks: one fee for each added stretch of time. */
export const describeCapacityBlockExtensionHistory: ReservationFormat = {
  name: "aws ec2 describe-capacity-block-extension-history",
  recognises: (document) => hasKey(document, key),
  parse: (document, { sourceId }) => {
    const { rows, problems, issues } = readRows(document, key, extension, sourceId);
    return {
      reservations: [],
      supplements: rows.filter(isPaid).map(feeOf),
      problems,
      issues: [...issues, ...rows.filter((row) => !isPaid(row)).map((row) => notPaid(row, sourceId))],
    };
  },
};

function isPaid({ CapacityBlockExtensionStatus: status }: Extension): boolean {
  return status === "payment-succeeded";
}

function feeOf(row: Extension): ReservationSupplement {
  return {
    provider: "aws",
    id: row.CapacityReservationId,
    fee: {
      total: { currency: row.CurrencyCode.toUpperCase(), micros: Math.round(Number(row.UpfrontFee) * 1e6) },
      from: row.CapacityBlockExtensionStartDate,
      until: row.CapacityBlockExtensionEndDate,
    },
  };
}

function notPaid(row: Extension, source: string): Issue {
  const message = `${row.CapacityReservationId}: the fee of an extension (${row.CapacityBlockExtensionStatus}) is not counted, since it is not paid`;
  return { code: "CapacityBlockExtensionNotPaid", severity: "info", message, source };
}
