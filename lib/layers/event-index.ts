import type { EventRecord } from "../model/kubernetes.ts";
import type { EventIndex } from "./fleet.ts";

/** Events by the object they are about, newest first. */
export function indexEvents(events: readonly EventRecord[]): EventIndex {
  const byObject = new Map<string, EventRecord[]>();
  for (const event of events) {
    const key = keyOf(event.about.kind, event.about.namespace, event.about.name);
    const list = byObject.get(key);
    if (list) list.push(event);
    else byObject.set(key, [event]);
  }
  for (const list of byObject.values()) list.sort((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0));
  return {
    of: (kind, namespace, name) => byObject.get(keyOf(kind, namespace, name)) ?? [],
    all: events,
    ofPod: (namespace, name) => byObject.get(keyOf("Pod", namespace, name)) ?? [],
    ofNode: (name) => byObject.get(keyOf("Node", "", name)) ?? [],
  };
}

/** Events about objects without a namespace carry none, or `default`, depending on who wrote them. */
function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind}/${CLUSTER_SCOPED.test(kind) ? "" : namespace}/${name}`;
}

const CLUSTER_SCOPED =
  /^(Node|NodePool|NodeClaim|\w*NodeClass|Provisioner|Machine|ClusterQueue|Cohort|ResourceFlavor|PersistentVolume)$/;
