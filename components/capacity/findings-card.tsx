"use client";

import { useState } from "react";
import { Card } from "@/components/ui/card.tsx";
import { formatCount } from "@/components/ui/format.ts";
import { ShowMore } from "@/components/verdict/show-more.tsx";
import type { FleetView } from "@/lib/model/fleet-view.ts";
import { FindingRow } from "./finding-row.tsx";

const FIRST = 4;

/** What the capacity team should look at, the dearest first as on the wire. */
export function FindingsCard({ view: { findings, pools } }: { view: Pick<FleetView, "findings" | "pools"> }) {
  const [all, setAll] = useState(false);
  const shown = all ? findings : findings.slice(0, FIRST);
  const poolOf = new Map(pools.map((pool) => [pool.id, pool]));
  return (
    <Card
      id="findings"
      title="Findings"
      note={findings.length > 0 ? `${formatCount(findings.length)} to look at` : undefined}
    >
      {findings.length === 0 && (
        <p className="border-t border-line-soft px-4 py-3 text-ink-2">
          Nothing is idle, about to end, paid for twice or out of use, as far as the sources tell.
        </p>
      )}
      <ul>
        {shown.map((finding) => (
          <FindingRow key={finding.id} finding={finding} pool={poolOf.get(finding.pool)} />
        ))}
      </ul>
      {shown.length < findings.length && (
        <div className="border-t border-line-soft px-4 py-1">
          <ShowMore
            shown={shown.length}
            total={findings.length}
            what="findings"
            onMore={() => setAll(true)}
          />
        </div>
      )}
    </Card>
  );
}
