import { oncePer } from "../../model/once-per.ts";
import type { Placement } from "./placement.ts";

/** `build`, worked out once for each placement: thousands of pods that are alike share one. */
export function perPlacement<T>(build: (placement: Placement) => T): (placement: Placement) => T {
  return oncePer(build);
}
