"use client";

import { LivePage } from "@/components/live-page.tsx";
import { Overview } from "@/components/overview.tsx";
import type { InitialFleet } from "@/lib/client/use-fleet.ts";

/** The overview, live. */
export function Dashboard({ initial }: { initial: InitialFleet }) {
  return (
    <LivePage initial={initial} current="overview">
      {({ view, trend }, state) => (
        <Overview view={view} trend={trend} empty={state.kind === "read" && state.empty} />
      )}
    </LivePage>
  );
}
