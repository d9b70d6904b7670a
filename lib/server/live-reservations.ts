import { z } from "zod";
import type { Clock } from "../sources/kubernetes/clock.ts";
import { awsLiveConfig, createAwsSources } from "../sources/reservations/aws/live.ts";
import { azureLiveConfig, createAzureSources } from "../sources/reservations/azure/live.ts";
import { createGcpSources, gcpLiveConfig } from "../sources/reservations/gcp/live.ts";
import type { ReservationSource } from "../sources/reservations/reservation-source.ts";

/** Per provider, the accounts and regions whose reservations are read from its API, in the configuration file. */
export const liveReservations = {
  aws: z.array(awsLiveConfig.omit({ provider: true })).default([]),
  gcp: z.array(gcpLiveConfig.omit({ provider: true })).default([]),
  azure: z.array(azureLiveConfig.omit({ provider: true })).default([]),
};

export type LiveReservations = z.infer<z.ZodObject<typeof liveReservations>>;

/** Nothing is read live. */
export const NO_LIVE: LiveReservations = { aws: [], gcp: [], azure: [] };

/** The sources that the configuration asks for. A provider's SDK is loaded when the first of its sources starts. */
export function liveSources({ aws, gcp, azure }: LiveReservations, clock: Clock): ReservationSource[] {
  const how = { clock, random: Math.random };
  return [
    ...aws.flatMap((regions) => createAwsSources({ provider: "aws", ...regions }, how)),
    ...gcp.flatMap((projects) => createGcpSources({ provider: "gcp", ...projects }, how)),
    ...azure.flatMap((subscriptions) => createAzureSources({ provider: "azure", ...subscriptions }, how)),
  ];
}
