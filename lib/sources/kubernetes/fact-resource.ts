import type { FactObject } from "../../model/facts/fact-object.ts";
import type { FactKind } from "./kinds/fact-kind.ts";
import { rawObject } from "./raw.ts";
import { createRecordStore } from "./record-store.ts";
import { groupVersion } from "./served-kinds.ts";
import type { WatchedResource } from "./watched-resource.ts";
import { ACCEPT_JSON } from "./wire.ts";

/** Id of a kind's source: `kubernetes/nodepools.karpenter.sh`, `kubernetes/resourcequotas`. */
export function factSourceId({ group, plural }: Pick<FactKind, "group" | "plural">): string {
  return `kubernetes/${[plural, group].filter(Boolean).join(".")}`;
}

/** A kind in one of its versions, as a reflector follows it. It is asked for as JSON: the protobuf schema has only nodes, pods and events. */
export function factResource(fact: FactKind, version: string): WatchedResource<FactObject> {
  const { group, plural, kind, namespace, fieldSelector } = fact;
  const apiVersion = groupVersion(group, version);
  const root = group === "" ? "/api" : "/apis";
  const within = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return {
    id: factSourceId(fact),
    kind,
    path: `${root}/${apiVersion}${within}/${plural}`,
    accept: ACCEPT_JSON,
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    // In lists of built-in kinds, items do not say what the list says.
    normalize: (raw) => fact.normalize({ apiVersion, kind, ...rawObject(raw) }),
    createStore: createRecordStore,
  };
}
