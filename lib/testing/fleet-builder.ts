import { buildFleet } from "../layers/build-fleet.ts";
import type { Fleet } from "../layers/fleet.ts";
import { aSnapshot, NOW } from "./builders.ts";

/** The fleet of a snapshot of these objects, at NOW. */
export function aFleet(parts: Parameters<typeof aSnapshot>[0]): Fleet {
  return buildFleet(aSnapshot(parts), NOW);
}
