import { nodePoolOf } from "../../layers/node-labels.ts";
import type { AutoscalerStatusRecord, NodeGroupStatus } from "../../model/facts/autoscaling.ts";
import type { EventRecord, NodeRecord } from "../../model/kubernetes.ts";
import { perFleet } from "../per-fleet.ts";
import { shortGroup } from "./scale-up-words.ts";

/** A node group of Cluster Autoscaler with what is known of it. */
export interface NodeGroup {
  /** The last part of its name. */
  readonly name: string;
  /** As the autoscaler's status has it; undefined where it is only named in messages. */
  readonly status: NodeGroupStatus | undefined;
  readonly record: AutoscalerStatusRecord | undefined;
  /** Events of the autoscaler that name it, newest first. */
  readonly events: readonly EventRecord[];
}

/** Short name -> node group, for all that the autoscaler's status lists or its own events name. */
export const nodeGroups = perFleet((fleet): ReadonlyMap<string, NodeGroup> => {
  const groups = new Map<string, NodeGroup & { events: EventRecord[] }>();
  const groupOf = (name: string) => {
    const group = groups.get(name) ?? { name, status: undefined, record: undefined, events: [] };
    groups.set(name, group);
    return group;
  };
  for (const record of fleet.facts.autoscalerStatus.items) {
    for (const status of record.groups) {
      const name = shortGroup(status.name);
      groups.set(name, { ...groupOf(name), status, record });
    }
  }
  for (const event of fleet.events.all) {
    const name = /\b(?:[Gg]roup) (\S+?)[:,]?(?: |$)/.exec(event.message)?.[1];
    if (event.about.kind === "ConfigMap" && GROUP_EVENT.test(event.reason) && name) {
      groupOf(shortGroup(name)).events.push(event);
    }
  }
  for (const { events } of groups.values()) events.sort((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0));
  return groups;
});

const GROUP_EVENT = /ScaledUpGroup|FailedToScaleUpGroup|ScaleUpTimedOut|ScaleUpFailed|ScaleUpError/;

/**
 * Whether the node is one of the group, as far as their names tell: GKE and AKS name nodes after the group, EKS and
 * eksctl name the group after the node pool.
 */
export function isOfGroup(node: NodeRecord, group: string): boolean {
  if (node.name.startsWith(`${group.replace(/-grp$/, "")}-`) || node.name.startsWith(group)) return true;
  const pool = nodePoolOf(node);
  return pool !== undefined && group.split(pool).length > 1 && isWordIn(group, pool);
}

function isWordIn(group: string, pool: string): boolean {
  const at = group.indexOf(pool);
  const after = group.charAt(at + pool.length);
  return (at === 0 || group.charAt(at - 1) === "-") && (after === "" || after === "-");
}
