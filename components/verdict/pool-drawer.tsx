import { announcedPools } from "@/components/capacity/announced-pools.ts";
import { FindingRow } from "@/components/capacity/finding-row.tsx";
import { formatGpus, formatPerHour } from "@/components/ui/format.ts";
import type { FleetView, PoolView } from "@/lib/model/fleet-view.ts";
import { Gone } from "./detail-states.tsx";
import { DrawerTitle } from "./drawer-title.tsx";
import { PoolFacts } from "./pool-facts.tsx";
import { PoolNodes } from "./pool-nodes.tsx";
import { PoolTerm } from "./pool-term.tsx";
import { PoolWaiting } from "./pool-waiting.tsx";
import { Section } from "./section.tsx";
import { StageLedger } from "./stage-ledger.tsx";

/** One pool: where each of its paid GPUs is, what it costs, what pays for it, its nodes. */
export function PoolDrawer({ view, id }: { view: FleetView; id: string }) {
  const pool = view.pools.find((each) => each.id === id);
  if (!pool) {
    return (
      <>
        <DrawerTitle>{id}</DrawerTitle>
        <Gone name={`pool ${id}`} />
      </>
    );
  }
  return (
    <>
      <DrawerTitle>{pool.name}</DrawerTitle>
      <p className="text-ink-2">
        {[pool.instanceTypes.join(", "), pool.gpuModel, pool.zones.join(", "), pool.provider]
          .filter((part) => part !== null && part !== "")
          .join(" · ")}
      </p>
      {pool.reservation && (
        <PoolTerm reservation={pool.reservation} isAnnounced={announcedPools(view.findings).has(pool.id)} />
      )}
      <PoolFigures pool={pool} />
      <PoolFindings view={view} pool={pool} />
      <Section title="Where its GPUs are" note="from working down to what the provider has broken">
        <StageLedger ledger={pool} />
      </Section>
      <PoolWaiting pool={pool} stuck={view.stuck} />
      <Section title="What pays for it">
        <PoolFacts pool={pool} />
      </Section>
      <Section title="Nodes" note={`${pool.nodes} with GPUs of this pool`}>
        <PoolNodes blocks={pool.blocks} />
      </Section>
    </>
  );
}

/** What the capacity team should look at here; nothing where there is nothing. */
function PoolFindings({ view, pool }: { view: FleetView; pool: PoolView }) {
  const findings = view.findings.filter((finding) => finding.pool === pool.id);
  if (findings.length === 0) return null;
  return (
    <Section title="Findings">
      <ul className="[&>li]:px-0">
        {findings.map((finding) => (
          <FindingRow key={finding.id} finding={finding} pool={pool} />
        ))}
      </ul>
    </Section>
  );
}

function PoolFigures({ pool }: { pool: PoolView }) {
  const figures = [
    ["paid", pool.paid],
    ["schedulable", pool.schedulable],
    ["in the seam", pool.seam],
  ] as const;
  return (
    <dl className="mt-3 grid grid-cols-3 gap-3">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt className="text-xs text-ink-2">{name}</dt>
          <dd className="tabular-nums">
            <span
              className={`block text-[19px] leading-tight font-[620] tracking-tight ${name === "in the seam" && figure.gpus !== 0 ? "text-l2" : ""}`}
            >
              {formatGpus(figure.gpus)}
            </span>
            <span className="text-xs text-ink-2">{formatPerHour(figure)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
