"use client";

import { type QueryClient, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { z } from "zod";
import type { FleetView } from "../model/fleet-view.ts";
import type { DemoView, TrendView } from "../model/live-view.ts";
import { syncClock } from "./clock.tsx";
import { type Connection, keepEventStream } from "./event-stream.ts";
import { demoViewSchema, fleetViewSchema, trendViewSchema } from "./wire-schema.ts";

/** What the page is drawn from at first, before the stream says more. */
export interface InitialFleet {
  readonly view: FleetView;
  readonly trend: TrendView | null;
  readonly demo: DemoView | null;
}

/** The newest state, and whether it still is the newest. */
export interface LiveFleet extends InitialFleet {
  readonly connection: Connection;
  /** Epoch ms (browser's clock) of the last frame; undefined before the first. */
  readonly receivedAt: number | undefined;
  /** Set while the server sends what this page does not understand: what was shown last stays. */
  readonly problem: string | undefined;
}

const SCHEMAS = { view: fleetViewSchema, trend: trendViewSchema, demo: demoViewSchema } satisfies Record<
  string,
  z.ZodType
>;
const EVENTS = ["view", "trend", "demo"] as const;
type StreamEvent = (typeof EVENTS)[number];

/**
 * The fleet, live over `GET /api/stream`. Frames go through the query cache, whose structural sharing keeps every
 * unchanged part (a pool, a lane) the identical object, so that only what changed is drawn again.
 */
export function useFleet(initial: InitialFleet): LiveFleet {
  const client = useQueryClient();
  const [link, setLink] = useState<Pick<LiveFleet, "connection" | "receivedAt" | "problem">>({
    connection: "connecting",
    receivedAt: undefined,
    problem: undefined,
  });
  useEffect(
    () =>
      keepEventStream({
        open: () => new EventSource("/api/stream"),
        events: EVENTS,
        onFrame: (event, data) => {
          const problem = takeFrame(client, event, data);
          setLink((last) => ({
            ...last,
            problem,
            receivedAt: problem === undefined ? Date.now() : last.receivedAt,
          }));
        },
        onConnection: (connection) => setLink((last) => ({ ...last, connection })),
      }),
    [client],
  );
  return {
    view: useCached("view", initial.view),
    trend: useCached("trend", initial.trend),
    demo: useCached("demo", initial.demo),
    ...link,
  };
}

function useCached<T>(key: StreamEvent, initialData: T): T {
  const query = useQuery<T>({
    queryKey: [key],
    queryFn: skipToken,
    initialData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return query.data === undefined ? initialData : query.data;
}

/** Puts one frame into the cache; gives what is wrong with it where something is. */
function takeFrame(client: QueryClient, event: string, data: string): string | undefined {
  const key = EVENTS.find((name) => name === event);
  if (!key) return undefined;
  const parsed = SCHEMAS[key].safeParse(parseJson(data));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${key}.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not understood"}`;
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
