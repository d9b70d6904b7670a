import type { FactObject } from "../../../model/facts/fact-object.ts";
import type { FactName, FactRecords } from "../../../model/facts/facts.ts";
import { type Problems, type RawObject, rawConditions, rawMetadata, rawObject, rawOwner } from "../raw.ts";

/** One kind that is read where the cluster serves it, and what is kept of its objects. */
export interface FactKind<Name extends FactName = FactName> {
  readonly fact: Name;
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** Last part of its path, e.g. `nodepools`. */
  readonly plural: string;
  /** Versions that can be read, best first: the first one that is served is used. */
  readonly versions: readonly string[];
  /** Narrows the list and the watch, e.g. `metadata.name=cluster-autoscaler-status`; with `namespace` where it has to be one. */
  readonly fieldSelector?: string;
  readonly namespace?: string;
  /** A JSON-shaped object as its record; undefined where it is of no use. Never throws on data. */
  readonly normalize: (raw: unknown) => FactRecords[Name] | undefined;
}

/** What every object gives. `field` of problems as in the other normalisers. */
export function factObject(value: unknown, kind: string, problems: Problems): FactObject {
  const raw: RawObject = rawObject(value);
  const { apiVersion } = raw;
  return {
    ...rawMetadata(raw, problems),
    apiVersion: typeof apiVersion === "string" ? apiVersion : "",
    kind,
    owner: rawOwner(raw, problems),
    conditions: rawConditions(rawObject(raw.status).conditions, problems),
    problems,
  };
}
