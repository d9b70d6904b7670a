import { type Problems, rawList, rawMap, rawObject, rawText } from "../raw.ts";

/**
 * Values of the last level of a topology assignment. v1beta1 lists domains with their values; v1beta2 packs them by
 * level into slices, each value as a prefix, a root and a suffix or the same for all.
 * https://kueue.sigs.k8s.io/docs/reference/kueue.v1beta2/ (TopologyAssignment)
 */
export function topologyDomains(value: unknown, field: string, problems: Problems): readonly string[] {
  const raw = rawMap(value, field, problems);
  const listed = rawList(raw.domains, `${field}.domains`, problems).flatMap((domain) => {
    const values = rawList(rawObject(domain).values, `${field}.domains[].values`, problems);
    return rawText(values.at(-1), `${field}.domains[].values[]`, problems) || [];
  });
  const packed = rawList(raw.slices, `${field}.slices`, problems).flatMap((slice) => {
    const levels = rawList(rawObject(slice).valuesPerLevel, `${field}.slices[].valuesPerLevel`, problems);
    return valuesOf(levels.at(-1), `${field}.slices[].valuesPerLevel[]`, problems);
  });
  return [...listed, ...packed];
}

function valuesOf(value: unknown, field: string, problems: Problems): string[] {
  const level = rawObject(value);
  const universal = rawText(level.universal, `${field}.universal`, problems);
  if (universal !== "") return [universal];
  const individual = rawObject(level.individual);
  const prefix = rawText(individual.prefix, `${field}.individual.prefix`, problems);
  const suffix = rawText(individual.suffix, `${field}.individual.suffix`, problems);
  return rawList(individual.roots, `${field}.individual.roots`, problems).map(
    (root) => prefix + rawText(root, `${field}.individual.roots[]`, problems) + suffix,
  );
}
