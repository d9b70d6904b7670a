import { z } from "zod";
import type { Reservation } from "../../../model/reservation.ts";
import { count, optional, text } from "../provider/fields.ts";
import type { SlotGpus } from "../provider/reservation-of.ts";
import { machineGpus, tpuModel } from "./machine-gpus.ts";
import { lastPart } from "./resource-path.ts";

/** The machines that are reserved, one by one, as reservations and future reservations write them. */
export const instanceProperties = z.object({
  machineType: optional(text),
  guestAccelerators: optional(z.array(z.object({ acceleratorType: text, acceleratorCount: count }))),
});

const chips = optional(
  z.array(
    z.object({
      accelerator: optional(z.object({ acceleratorType: optional(text), acceleratorCount: count })),
    }),
  ),
);

/** TPU chips that are reserved in sum, for machines of any size of one family. */
export const aggregateReservation = z.object({
  vmFamily: optional(text),
  reservedResources: chips,
  inUseResources: chips,
});

/** What is reserved, in slots. */
export interface GcpSlots {
  readonly instanceType: string;
  readonly gpus: SlotGpus;
  readonly count: number;
  readonly used: number | undefined;
}

/** The type and GPUs of machines that are reserved one by one. */
export function machineSlot(
  properties: z.infer<typeof instanceProperties> | undefined,
): Pick<GcpSlots, "instanceType" | "gpus"> {
  const { machineType, guestAccelerators } = properties ?? {};
  // A reservation by template names no machine type.
  if (machineType === undefined) return { instanceType: "unnamed machine", gpus: "unknown" };
  const instanceType = lastPart(machineType);
  return { instanceType, gpus: machineGpus(instanceType, guestAccelerators ?? []) };
}

/** Chips of one machine of a slice that spans several: the largest size that all TPU families have. */
const CHIPS_A_MACHINE = 4;

/**
 * Chips in slots of machines with 4 each, as multi-host slices use them; in slots of one chip where they do not divide.
 * https://cloud.google.com/tpu/docs/system-architecture-tpu-vm
 */
export function chipSlots(aggregate: z.infer<typeof aggregateReservation>): GcpSlots | undefined {
  const family = /_(CT\w+|TPU\w+)$/
    .exec(aggregate.vmFamily ?? "")?.[1]
    ?.split("_")
    .at(-1)
    ?.toLowerCase();
  const reserved = sumOf(aggregate.reservedResources);
  if (family === undefined || reserved === undefined) return undefined;
  const inUse = sumOf(aggregate.inUseResources) ?? 0;
  const size = reserved % CHIPS_A_MACHINE === 0 && reserved > 0 ? CHIPS_A_MACHINE : 1;
  const instanceType = `${family}-${HIGH.has(family) ? "hightpu" : "standard"}-${size}t`;
  const gpus: Pick<Reservation, "gpuModel" | "gpusPerInstance"> = {
    gpuModel: tpuModel(family) ?? family,
    gpusPerInstance: size,
  };
  return { instanceType, gpus, count: reserved / size, used: Math.ceil(inUse / size) };
}

/** Families whose machine types are named `-hightpu-`. */
const HIGH = new Set(["ct3", "ct3p", "ct4p", "ct5l", "ct5lp", "ct5p"]);

function sumOf(resources: z.infer<typeof chips>): number | undefined {
  const counts = resources?.flatMap(({ accelerator }) => (accelerator ? [accelerator.acceleratorCount] : []));
  return counts && counts.length > 0 ? counts.reduce((sum, next) => sum + next, 0) : undefined;
}
