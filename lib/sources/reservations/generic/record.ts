import { z } from "zod";

const text = z.string({ error: "a text" }).trim().min(1, { error: "a text that is not empty" });

/** A point in time: ISO 8601, a bare date being midnight UTC. In epoch milliseconds. */
const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: "an ISO 8601 time such as 2026-12-01T00:00:00Z",
  })
  .transform((value) => Date.parse(value));

const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

const price = z.number({ error: "a price, a number of 0 or more" }).nonnegative().max(1e9);

/** One reservation as a person writes it down, provider or not. */
export const genericRecord = z.object({
  id: text,
  provider: optional(text),
  name: optional(text),
  instanceType: text,
  gpuModel: optional(text),
  count: z
    .int({ error: "the number of instances, a whole number of 0 or more" })
    .nonnegative()
    .max(1_000_000),
  gpusPerInstance: optional(
    z.int({ error: "GPUs an instance, a whole number of 1 or more" }).positive().max(1024),
  ),
  zone: optional(text),
  start: optional(moment),
  end: optional(moment),
  state: optional(text),
  pricePerGpuHour: optional(price),
  pricePerInstanceHour: optional(price),
  totalPrice: optional(price),
  currency: optional(z.string().regex(/^[A-Za-z]{3}$/, { error: "an ISO 4217 code such as USD" })),
  billing: optional(z.enum(["continuous", "upfront", "none"])),
  selector: optional(
    z.object({
      matchLabels: optional(z.record(z.string(), z.string({ error: "a label value, a string" }))),
      providerIdPrefix: optional(text),
    }),
  ),
  owner: optional(text),
});

export type GenericRecord = z.infer<typeof genericRecord>;

export const genericDocument = z.object({ reservations: z.array(genericRecord) });
