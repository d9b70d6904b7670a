"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { DemoBanner } from "@/components/demo/demo-banner.tsx";
import { Header } from "@/components/header/header.tsx";
import { FailingSources, LoadingNotice, UnreadNotice } from "@/components/notices/notices.tsx";
import { readState } from "@/components/notices/read-state.ts";
import { Overview } from "@/components/overview.tsx";
import { StageDefs } from "@/components/ui/stage-defs.tsx";
import { Drawer } from "@/components/verdict/drawer.tsx";
import { ClockProvider } from "@/lib/client/clock.tsx";
import { type InitialFleet, useFleet } from "@/lib/client/use-fleet.ts";

/** The whole page, live: drawn from `initial` at first, then from the stream. */
export function Dashboard({ initial }: { initial: InitialFleet }) {
  const [client] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={client}>
      <ClockProvider renderedAt={Date.parse(initial.view.generatedAt)}>
        <Live initial={initial} />
      </ClockProvider>
    </QueryClientProvider>
  );
}

function Live({ initial }: { initial: InitialFleet }) {
  const fleet = useFleet(initial);
  const { view } = fleet;
  const state = readState(view);
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:border focus:border-line focus:bg-panel focus:px-3 focus:py-1.5"
      >
        Skip to the fleet
      </a>
      <StageDefs />
      <DemoBanner demo={fleet.demo} />
      <Header fleet={fleet} />
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto max-w-[1640px] px-6 pt-5 pb-12 outline-none max-md:px-3 max-md:pt-3.5"
      >
        {state.kind === "loading" && <LoadingNotice view={view} />}
        {state.kind === "unread" && <UnreadNotice view={view} source={state.source} />}
        {state.kind !== "loading" && <FailingSources sources={state.failing} />}
        <Overview view={view} trend={fleet.trend} empty={state.kind === "read" && state.empty} />
      </main>
      <Drawer view={view} />
    </>
  );
}
