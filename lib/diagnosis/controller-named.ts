import type { Fleet } from "../layers/fleet.ts";
import type { ControllerRecord } from "../model/facts/controllers.ts";
import { perFleet } from "./per-fleet.ts";

type Named = Pick<ControllerRecord, "kind" | "namespace" | "name">;

/** The controller of this name, whichever object of that name it is by now; undefined where none is read. */
export function controllerNamed(fleet: Fleet, named: Named): ControllerRecord | undefined {
  return controllersByName(fleet).get(keyOf(named));
}

const controllersByName = perFleet(
  ({ facts }) => new Map(facts.controllers.items.map((one) => [keyOf(one), one])),
);

function keyOf({ kind, namespace, name }: Named): string {
  return `${kind}/${namespace}/${name}`;
}
