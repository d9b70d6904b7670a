import type { ReactNode } from "react";
import { FigureCost } from "@/components/ui/figure-cost.tsx";
import { formatGpus } from "@/components/ui/format.ts";
import { LinkedText } from "@/components/verdict/linked-text.tsx";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import type { FindingView, LossView } from "@/lib/model/fleet-view.ts";

/** Something that costs money, in a list: how much, what is so, in which pool, whose move it is, and the objects behind it. */
export function PricedRow({
  of,
  tag,
  poolName,
  costNote,
  children,
}: {
  of: LossView | FindingView;
  /** Before its title. */
  tag: ReactNode;
  poolName: string;
  /** Below its cost. */
  costNote?: string | undefined;
  /** Behind its owner. */
  children: ReactNode;
}) {
  const pool = { kind: "pool", id: of.pool } as const;
  return (
    <li className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 border-t border-line-soft px-4 py-2.5">
      <div className="text-right tabular-nums">
        <FigureCost figure={of} />
        <p className="text-2xs text-ink-2">{formatGpus(of.gpus)}</p>
        {costNote !== undefined && <p className="text-2xs text-ink-2">{costNote}</p>}
      </div>
      <div className="min-w-0">
        <h3 className="font-[560]">
          {tag} {of.title}
        </h3>
        <p className="text-xs wrap-anywhere text-ink-2">
          <LinkedText text={of.detail} objects={of.objects} objectCount={of.objectCount} more={pool} />
        </p>
        <p className="text-xs wrap-anywhere text-ink-3">
          <SelectionLink to={pool} className="underline decoration-line">
            {poolName}
          </SelectionLink>
          {` · ${of.owner}`}
          {children}
        </p>
      </div>
    </li>
  );
}
