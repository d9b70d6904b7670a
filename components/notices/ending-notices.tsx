import Link from "next/link";
import { endWord, isEnding } from "@/components/capacity/announced-pools.ts";
import { Countdown } from "@/components/ui/countdown.tsx";
import { formatCount, formatPerHour } from "@/components/ui/format.ts";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import type { FindingView, FleetView, PoolView } from "@/lib/model/fleet-view.ts";

/** More than these would push the fleet off the page; the rest is on the page of the capacity team. */
const MOST = 4;

/** Capacity that ends within its notice time, what ends first on top. */
export function EndingNotices({
  view: { findings, pools },
}: {
  view: Pick<FleetView, "findings" | "pools">;
}) {
  const ending = findings.filter(isEnding).sort((a, b) => ((a.until ?? "") < (b.until ?? "") ? -1 : 1));
  if (ending.length === 0) return null;
  const poolOf = new Map(pools.map((pool) => [pool.id, pool]));
  return (
    <ul aria-label="Capacity that ends soon" className="mb-3.5 grid gap-1.5">
      {ending.slice(0, MOST).map((finding) => (
        <EndingLine key={finding.id} finding={finding} pool={poolOf.get(finding.pool)} />
      ))}
      {ending.length > MOST && (
        <li className="px-4 text-xs">
          <Link href="/capacity#findings" prefetch={false} className="underline underline-offset-2">
            {formatCount(ending.length - MOST)} more that end soon
          </Link>
        </li>
      )}
    </ul>
  );
}

function EndingLine({ finding, pool }: { finding: FindingView; pool: PoolView | undefined }) {
  const { reservation, title, until, owner } = finding;
  return (
    <li className="rounded-lg border border-warn/40 bg-warn-soft px-4 py-2 text-xs">
      <SelectionLink
        to={{ kind: "pool", id: finding.pool }}
        className="font-semibold text-warn underline decoration-warn/40"
      >
        {pool?.name ?? reservation}
      </SelectionLink>{" "}
      {until !== null && (
        <b className="font-semibold text-warn">
          {endWord(finding, pool)} <Countdown until={until} />:
        </b>
      )}{" "}
      {title} · {formatPerHour(finding)} · {owner}
    </li>
  );
}
