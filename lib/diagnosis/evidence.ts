import type { FleetNode, Pool } from "../layers/fleet.ts";
import type { Condition, ContainerRecord, EventRecord, NodeRecord, PodRecord } from "../model/kubernetes.ts";
import type { Evidence } from "./verdict.ts";
import { cutText } from "./wording.ts";

/** The condition of that type in the object's status. */
export function conditionOf(object: NodeRecord | PodRecord, type: string): Condition | undefined {
  return object.conditions.find((condition) => condition.type === type);
}

/** A field of a pod; `value` is cut. */
export function podEvidence(pod: PodRecord, field: string, value: string, at?: number): Evidence {
  const object = { kind: "Pod", namespace: pod.namespace, name: pod.name };
  return { object, field, value: cutText(value), at };
}

/** A field of a node; `value` is cut. */
export function nodeEvidence(node: NodeRecord, field: string, value: string, at?: number): Evidence {
  return { object: { kind: "Node", name: node.name }, field, value: cutText(value), at };
}

/** The Ready condition of a node, with its reason and message. */
export function readyEvidence({ record, readiness }: FleetNode): Evidence {
  const status = conditionOf(record, "Ready")?.status ?? "absent";
  const why = [readiness.reason, readiness.message].filter((part) => part !== "").join(": ");
  const value = why === "" ? status : `${status} (${why})`;
  return nodeEvidence(record, 'status.conditions["Ready"]', value, readiness.since);
}

/** An event about a pod or node: `FailedScheduling ×27: 0/22 nodes are available …`. */
export function eventEvidence(event: EventRecord): Evidence {
  const { kind, namespace, name } = event.about;
  const times = event.count > 1 ? ` ×${event.count}` : "";
  return {
    object: kind === "Node" ? { kind, name } : { kind, namespace, name },
    field: undefined,
    value: cutText(`${event.reason}${times}: ${event.message}`),
    at: event.lastAt ?? event.firstAt,
  };
}

/** What a container waits for or last ended with. */
export function containerEvidence(pod: PodRecord, container: ContainerRecord, value: string): Evidence {
  const list = container.init ? "initContainerStatuses" : "containerStatuses";
  const ended = container.state.kind === "terminated" ? container.state : container.lastTermination;
  const field = `status.${list}["${container.name}"].state`;
  return podEvidence(pod, field, value, ended?.finishedAt ?? pod.createdAt);
}

/** The reservation behind a pool; undefined for a pool without one. */
export function reservationEvidence(
  pool: Pool,
  field: string,
  value: string,
  at?: number,
): Evidence | undefined {
  if (!pool.reservation) return undefined;
  return { object: { kind: "Reservation", name: pool.reservation.record.id }, field, value, at };
}
