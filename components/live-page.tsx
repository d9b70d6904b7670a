"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { DemoBanner } from "@/components/demo/demo-banner.tsx";
import { Header } from "@/components/header/header.tsx";
import type { PageName } from "@/components/header/page-nav.tsx";
import { FailingSources, LoadingNotice, UnreadNotice } from "@/components/notices/notices.tsx";
import { type ReadState, readState } from "@/components/notices/read-state.ts";
import { StageDefs } from "@/components/ui/stage-defs.tsx";
import { Drawer } from "@/components/verdict/drawer.tsx";
import { ClockProvider } from "@/lib/client/clock.tsx";
import { type InitialFleet, type LiveFleet, useFleet } from "@/lib/client/use-fleet.ts";

interface LivePageProps {
  readonly initial: InitialFleet;
  readonly current: PageName;
  /** What the page shows of the newest state, below the header and the notices. */
  readonly children: (fleet: LiveFleet, state: ReadState) => ReactNode;
}

/** What all pages have around them: header, notices and drawer, live: drawn from `initial` at first, then from the stream. */
export function LivePage({ initial, current, children }: LivePageProps) {
  const [client] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={client}>
      <ClockProvider renderedAt={Date.parse(initial.view.generatedAt)}>
        <Live initial={initial} current={current}>
          {children}
        </Live>
      </ClockProvider>
    </QueryClientProvider>
  );
}

function Live({ initial, current, children }: LivePageProps) {
  const fleet = useFleet(initial);
  const { view } = fleet;
  const state = readState(view);
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:border focus:border-line focus:bg-panel focus:px-3 focus:py-1.5"
      >
        Skip to the {current === "overview" ? "fleet" : "reservations"}
      </a>
      <StageDefs />
      <DemoBanner demo={fleet.demo} />
      <Header fleet={fleet} current={current} />
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto max-w-[1640px] px-6 pt-5 pb-12 outline-none max-md:px-3 max-md:pt-3.5"
      >
        {state.kind === "loading" && <LoadingNotice view={view} />}
        {state.kind === "unread" && <UnreadNotice view={view} source={state.source} />}
        {state.kind !== "loading" && <FailingSources sources={state.failing} />}
        {children(fleet, state)}
      </main>
      <Drawer view={view} />
    </>
  );
}
