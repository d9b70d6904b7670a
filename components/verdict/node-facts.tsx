import { Age } from "@/components/ui/age.tsx";
import type { NodeDetailView } from "@/lib/model/detail-view.ts";
import { ConditionList } from "./condition-list.tsx";
import { Facts } from "./facts.tsx";
import { GpuSteps } from "./gpu-steps.tsx";
import { HolderList } from "./holder-list.tsx";
import { ResourceTable } from "./resource-table.tsx";
import { Section } from "./section.tsx";
import { SelectionLink } from "./selection-link.tsx";

/** What a node is and has. */
export function NodeFacts({ node }: { node: NodeDetailView }) {
  return (
    <>
      <p className="text-ink-2">
        {[node.instanceType, node.model, node.zone].filter((part) => part !== null).join(" · ")}
      </p>
      <NodeState node={node} />
      <Section title="GPUs" note="from the machine to what pods request">
        <GpuSteps gpus={node.gpus} stages={node.stages} />
      </Section>
      <Section title="Held by">
        {node.holders.length > 0 ? (
          <HolderList holders={node.holders} onNode />
        ) : (
          <p className="text-ink-2">No pod requests its GPUs.</p>
        )}
      </Section>
      <Section title="The node">
        <Facts
          facts={[
            [
              "pool",
              node.pool === null ? (
                "none: it has no GPUs"
              ) : (
                <SelectionLink
                  key="pool"
                  to={{ kind: "pool", id: node.pool }}
                  className="underline decoration-line"
                >
                  {node.poolName ?? node.pool}
                </SelectionLink>
              ),
            ],
            ["matched by", node.matchedBy],
            [
              "was in",
              node.past && (
                <span key="past">
                  {node.past.name}, until <Age since={node.past.until} /> ago
                </span>
              ),
            ],
            ["provider ID", node.providerId],
            [
              "created",
              node.createdAt && (
                <span key="created">
                  <Age since={node.createdAt} /> ago
                </span>
              ),
            ],
            ["taints", node.taints.join(", ")],
          ]}
        />
      </Section>
      {node.resources.length > 0 && (
        <Section title="Resources">
          <ResourceTable resources={node.resources} />
        </Section>
      )}
      <Section title="Conditions">
        <ConditionList entries={node.conditions} />
      </Section>
      <Section title="Events">
        {node.events.length > 0 ? (
          <ConditionList entries={node.events} />
        ) : (
          <p className="text-ink-2">No events are kept of it.</p>
        )}
      </Section>
    </>
  );
}

/** Ready and blocked, each with its age; coloured only where the node is not as it should be. */
function NodeState({ node }: { node: NodeDetailView }) {
  const { ready, blocked } = node;
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
      <span className={ready.ready ? "" : "font-[600] text-l2"}>
        {ready.ready ? "Ready" : "NotReady"} <Age since={ready.since} />
        {!ready.ready && <span className="font-normal"> · {ready.message || ready.reason}</span>}
      </span>
      {blocked && (
        <span className="font-[600] text-l2">
          takes no new pods: {blocked.by} <Age since={blocked.since} />
        </span>
      )}
    </p>
  );
}
