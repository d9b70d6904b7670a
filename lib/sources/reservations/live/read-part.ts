import type { Issue } from "../../../model/snapshot.ts";
import { SourceError } from "../../source-error.ts";

/** A call that adds to the reservations, but that they can do without. */
export interface Part<T> {
  readonly sourceId: string;
  /** As the provider's access policies write it, e.g. `ec2:DescribeCapacityBlockStatus`. */
  readonly permission: string;
  /** What is then not known, e.g. `slots that AWS reports as broken`. */
  readonly missing: string;
  /** Rejects with a SourceError where it cannot be read. */
  readonly read: () => Promise<T>;
}

/**
 * What a part says; where the provider refuses it for good, nothing but an issue that names the permission, so that the
 * rest of the reading stays right. What may pass by itself is thrown on: the last whole answer is better than half of one.
 */
export async function readPart<T>(
  part: Part<T>,
): Promise<{ readonly value: T | undefined; readonly issues: readonly Issue[] }> {
  try {
    return { value: await part.read(), issues: [] };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (error.code === "forbidden") return refused(part, "ReservationPermissionMissing", error);
    if (error.code === "absent" || error.code === "invalid") {
      return refused(part, "ReservationPartUnread", error);
    }
    throw error;
  }
}

function refused({ permission, missing, sourceId }: Part<unknown>, code: string, error: SourceError) {
  const why = code === "ReservationPermissionMissing" ? "is not permitted" : "cannot be read";
  const message = `${permission} ${why}, so it is not known: ${missing}. ${error.message}`;
  const issue: Issue = { code, severity: "warning", message, source: sourceId };
  return { value: undefined, issues: [issue] };
}
