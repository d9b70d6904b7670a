"use client";

import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { FleetView } from "../model/fleet-view.ts";
import type { DemoView, TrendView } from "../model/live-view.ts";
import { type Connection, keepEventStream } from "./event-stream.ts";
import { STREAM_EVENTS, type StreamEvent, takeFrame } from "./fleet-cache.ts";

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
        events: STREAM_EVENTS,
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
