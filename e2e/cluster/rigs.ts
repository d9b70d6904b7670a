import { kindRig } from "./kind.ts";
import { processesRig } from "./processes.ts";
import type { Rig, RigName } from "./rig.ts";

/** The rigs by their names. */
export const RIGS: Readonly<Record<RigName, Rig>> = { kind: kindRig, processes: processesRig };

export function isRigName(text: string | undefined): text is RigName {
  return text !== undefined && Object.hasOwn(RIGS, text);
}
