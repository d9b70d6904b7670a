import { formatCount } from "@/components/ui/format.ts";
import type { FleetView, StuckView } from "@/lib/model/fleet-view.ts";
import { AnswerBox } from "./answer-box.tsx";
import { BlocksNext } from "./blocks-next.tsx";
import { ConsideredTable } from "./considered-table.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { HolderList } from "./holder-list.tsx";
import { LayerSteps } from "./layer-steps.tsx";
import { Members } from "./members.tsx";
import { NextSteps } from "./next-steps.tsx";
import { Section } from "./section.tsx";

/** Why a pod, or an object that lacks pods, is stuck: the answer first, then the layers, the evidence, where it could run, who holds the GPUs. */
export function StuckVerdict({ view, stuck }: { view: FleetView; stuck: StuckView }) {
  const poolNames = new Map(view.pools.map((pool) => [pool.id, pool.name]));
  const nodes = stuck.considered.reduce((sum, row) => sum + row.nodeCount, 0);
  return (
    <>
      <AnswerBox stuck={stuck} />
      <Section title="The four layers, from the ground up">
        <LayerSteps ladder={stuck.ladder} />
        {stuck.isBlurred && (
          <p className="border-t border-line-soft pt-2 text-xs text-ink-2">
            With dynamic resource allocation devices are provisioned while the pod is scheduled: the border
            between L2 and L3 is blurred here.
          </p>
        )}
      </Section>
      <Section title="Evidence">
        <EvidenceList evidence={stuck.evidence} />
      </Section>
      {stuck.considered.length > 0 && (
        <Section
          title="Where it could run"
          note={`${formatCount(nodes)} ${nodes === 1 ? "node was" : "nodes were"} looked at`}
        >
          <ConsideredTable considered={stuck.considered} poolNames={poolNames} />
        </Section>
      )}
      {stuck.holders.length > 0 && (
        <Section title="Who holds the GPUs" note="most first">
          <HolderList holders={stuck.holders} />
        </Section>
      )}
      {stuck.next.length > 0 && (
        <Section title="Next step">
          <NextSteps steps={stuck.next} />
        </Section>
      )}
      {stuck.blocksNext.length > 0 && (
        <Section title="What would block next">
          <BlocksNext blockers={stuck.blocksNext} />
        </Section>
      )}
      <Members stuck={stuck} />
    </>
  );
}
