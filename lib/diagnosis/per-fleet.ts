import type { Fleet } from "../layers/fleet.ts";

/** `build`, worked out once for each fleet: an index that many pods are looked up in. */
export function perFleet<T>(build: (fleet: Fleet) => T): (fleet: Fleet) => T {
  const built = new WeakMap<Fleet, { readonly value: T }>();
  return (fleet) => {
    const known = built.get(fleet);
    if (known) return known.value;
    const value = build(fleet);
    built.set(fleet, { value });
    return value;
  };
}
