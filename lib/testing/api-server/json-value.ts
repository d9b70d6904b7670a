/** The value at `path` within parsed JSON; undefined where a step is missing or is no object. */
export function valueAt(json: unknown, ...path: readonly (string | number)[]): unknown {
  let value = json;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/** The value at `path` as text: scalars as they print, everything else as the empty string. */
export function textAt(json: unknown, ...path: readonly (string | number)[]): string {
  const value = valueAt(json, ...path);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

/** The value at `path` as a list; no list is an empty one. */
export function listAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueAt(json, ...path);
  return Array.isArray(value) ? value : [];
}
