import type { QueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { syncClock } from "./clock.tsx";
import { demoViewSchema, fleetViewSchema, trendViewSchema } from "./wire-schema.ts";

const SCHEMAS = { view: fleetViewSchema, trend: trendViewSchema, demo: demoViewSchema } satisfies Record<
  string,
  z.ZodType
>;

/** The events of `GET /api/stream`, each also the key under which its newest data is cached. */
export const STREAM_EVENTS = ["view", "trend", "demo"] as const;
export type StreamEvent = (typeof STREAM_EVENTS)[number];

/**
 * Puts one frame into the cache and sets the clock by it. What cannot be read leaves the cache as it is.
 *
 * @returns what is wrong with the frame; undefined where nothing is
 */
export function takeFrame(client: QueryClient, event: string, data: string): string | undefined {
  const key = STREAM_EVENTS.find((name) => name === event);
  if (!key) return undefined;
  const parsed = SCHEMAS[key].safeParse(parseJson(data));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${[key, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "not understood"}`;
  }
  client.setQueryData([key], parsed.data);
  if (parsed.data && "generatedAt" in parsed.data) syncClock(Date.parse(parsed.data.generatedAt));
  return undefined;
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
