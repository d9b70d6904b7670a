import { Age } from "@/components/ui/age.tsx";
import { formatCount, formatGpus } from "@/components/ui/format.ts";
import type { PodDetailView } from "@/lib/model/detail-view.ts";
import { ConditionList } from "./condition-list.tsx";
import { Facts } from "./facts.tsx";
import { ObjectLink } from "./object-link.tsx";
import { Section } from "./section.tsx";

/** What a pod is: phase, node, requests, containers, conditions, events. */
export function PodFacts({ pod }: { pod: PodDetailView }) {
  return (
    <>
      <Section title="The pod">
        <Facts
          facts={[
            ["phase", pod.phase],
            [
              "node",
              pod.node === null ? (
                "not placed"
              ) : (
                <ObjectLink key="node" object={{ kind: "Node", name: pod.node }} />
              ),
            ],
            ["owner", pod.owner && <ObjectLink key="owner" object={pod.owner} withKind />],
            [
              "created",
              pod.createdAt && (
                <span key="created">
                  <Age since={pod.createdAt} /> ago
                </span>
              ),
            ],
            ["GPUs", formatGpus(pod.gpus)],
            ["requests", pod.requests.map(({ name, amount }) => `${name} ${amount}`).join(", ")],
          ]}
        />
      </Section>
      {pod.containers.length > 0 && <Containers containers={pod.containers} />}
      {pod.conditions.length > 0 && (
        <Section title="Conditions">
          <ConditionList entries={pod.conditions} />
        </Section>
      )}
      <Section title="Events">
        {pod.events.length > 0 ? (
          <ConditionList entries={pod.events} />
        ) : (
          <p className="text-ink-2">No events are kept of it.</p>
        )}
      </Section>
    </>
  );
}

function Containers({ containers }: { containers: PodDetailView["containers"] }) {
  return (
    <Section title="Containers">
      <ul>
        {containers.map(({ name, image, state, restarts }) => (
          <li key={name} className="border-t border-line-soft py-1.5">
            <div className="flex items-baseline justify-between gap-3">
              <span className="font-[560] wrap-anywhere">{name}</span>
              <span className="text-right text-xs break-words text-ink-2 tabular-nums">
                {state} · {formatCount(restarts)} {restarts === 1 ? "restart" : "restarts"}
              </span>
            </div>
            <p className="font-mono text-[11.5px] wrap-anywhere text-ink-2">{image}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
