import { type FactName, type FactRecords, type Facts, NO_FACTS } from "../model/facts/facts.ts";
import { FACT_KINDS } from "../sources/kubernetes/kinds/fact-kinds.ts";
import { rawObject } from "../sources/kubernetes/raw.ts";
import { groupOf } from "../sources/kubernetes/served-kinds.ts";

/** The facts among JSON-shaped objects of any kinds, whatever version each is written in. */
export function factsOf(objects: readonly unknown[]): Facts {
  const found = new Map<FactName, FactRecords[FactName][]>();
  for (const object of objects) {
    const { apiVersion, kind } = rawObject(object);
    const group = groupOf(String(apiVersion));
    const known = FACT_KINDS.find((one) => one.kind === kind && one.group === group);
    const record = known?.normalize(object);
    if (!known || !record) continue;
    const list = found.get(known.fact);
    if (list) list.push(record);
    else found.set(known.fact, [record]);
  }
  const lists = [...found].map(([name, items]) => [name, { known: true, items }] as const);
  return { ...NO_FACTS, ...Object.fromEntries(lists) };
}
