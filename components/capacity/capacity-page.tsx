"use client";

import { LivePage } from "@/components/live-page.tsx";
import type { InitialFleet } from "@/lib/client/use-fleet.ts";
import { Capacity } from "./capacity.tsx";

/** The page of the capacity team, live. */
export function CapacityPage({ initial }: { initial: InitialFleet }) {
  return (
    <LivePage initial={initial} current="capacity">
      {({ view }) => <Capacity view={view} />}
    </LivePage>
  );
}
