"use client";

import { formatCount } from "@/components/ui/format.ts";
import type { StuckView } from "@/lib/model/fleet-view.ts";
import { ObjectLink } from "./object-link.tsx";
import { Section } from "./section.tsx";

/** The other pods that wait for the same thing, as far as their names are known; nothing where it is alone. */
export function Members({ stuck }: { stuck: StuckView }) {
  const others = stuck.members.filter(
    ({ namespace, name }) => name !== stuck.name || namespace !== stuck.namespace,
  );
  if (stuck.count < 2) return null;
  const more = stuck.count - 1 - others.length;
  return (
    <Section title="Waiting for the same" note={`${formatCount(stuck.count)} pods in all`}>
      <ul className="text-xs">
        {others.map((member) => (
          <li
            key={`${member.kind}/${member.namespace}/${member.name}`}
            className="border-t border-line-soft py-1.5"
          >
            <ObjectLink object={member} />
          </li>
        ))}
        {more > 0 && (
          <li className="border-t border-line-soft py-1.5 text-ink-2">and {formatCount(more)} more</li>
        )}
      </ul>
    </Section>
  );
}
