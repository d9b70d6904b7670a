import type { Placement } from "./placement.ts";

/** `build`, worked out once for each placement: thousands of pods that are alike share one. */
export function perPlacement<T>(build: (placement: Placement) => T): (placement: Placement) => T {
  const known = new WeakMap<Placement, { readonly value: T }>();
  return (placement) => {
    const found = known.get(placement) ?? { value: build(placement) };
    known.set(placement, found);
    return found.value;
  };
}
