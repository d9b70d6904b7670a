import type { Fleet } from "../layers/fleet.ts";
import { oncePer } from "../model/once-per.ts";

/** `build`, worked out once for each fleet: an index that many pods are looked up in. */
export function perFleet<T>(build: (fleet: Fleet) => T): (fleet: Fleet) => T {
  return oncePer(build);
}
