import { z } from "zod";
import type { Issue } from "../../../model/snapshot.ts";
import type { ParsedReservations, ParseOptions } from "../format.ts";
import { count, optional, text } from "../provider/fields.ts";
import { readRecords } from "../provider/read-records.ts";
import { resourcePath } from "./resource-path.ts";

/** https://cloud.google.com/compute/docs/reference/rest/v1/reservationBlocks */
const block = z.object({
  name: text,
  selfLink: text,
  healthInfo: optional(
    z.object({
      healthStatus: optional(text),
      healthySubBlockCount: optional(count),
      degradedSubBlockCount: optional(count),
    }),
  ),
});

/** https://cloud.google.com/compute/docs/reference/rest/v1/reservationSubBlocks */
const subBlock = z.object({
  name: text,
  selfLink: text,
  healthInfo: optional(z.object({ healthStatus: optional(text), degradedHostCount: optional(count) })),
});

/** Blocks of a dense reservation. They say which are degraded, but not how many of their hosts. */
export function parseBlocks(records: readonly unknown[], { sourceId }: ParseOptions): ParsedReservations {
  const { good, issues } = readRecords(records, block, { sourceId, what: "reservation block" });
  const degraded = good
    .filter(({ healthInfo }) => healthInfo?.healthStatus === "DEGRADED")
    .map(({ name, healthInfo }): Issue => {
      const [bad, fine] = [healthInfo?.degradedSubBlockCount, healthInfo?.healthySubBlockCount];
      const howMany = bad === undefined ? "" : `: ${bad} of ${bad + (fine ?? 0)} sub-blocks`;
      const message = `reservation block ${name} is degraded${howMany}`;
      return { code: "ReservationBlockDegraded", severity: "info", message, source: sourceId };
    });
  return { reservations: [], problems: [], issues: [...issues, ...degraded] };
}

/** Sub-blocks of dense reservations: their degraded hosts are slots that cannot be used. */
export function parseSubBlocks(records: readonly unknown[], { sourceId }: ParseOptions): ParsedReservations {
  const { good, issues } = readRecords(records, subBlock, { sourceId, what: "reservation sub-block" });
  const broken = new Map<string, number>();
  for (const { selfLink, healthInfo } of good) {
    const id = reservationIdOf(selfLink);
    const hosts = healthInfo?.degradedHostCount;
    if (id !== undefined && hosts !== undefined) broken.set(id, (broken.get(id) ?? 0) + hosts);
  }
  return {
    reservations: [],
    supplements: [...broken].map(([id, hosts]) => ({ provider: "gcp", id, broken: hosts })),
    problems: [],
    issues,
  };
}

/** Blocks lie below their reservation. */
function reservationIdOf(selfLink: string): string | undefined {
  return /^.*\/reservations\/[^/]+/.exec(resourcePath(selfLink)?.id ?? "")?.[0];
}
