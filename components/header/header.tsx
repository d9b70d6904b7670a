import type { LiveFleet } from "@/lib/client/use-fleet.ts";
import type { ClusterView } from "@/lib/model/fleet-view.ts";
import { ConnectionState } from "./connection-state.tsx";
import { Mark } from "./mark.tsx";
import { type PageName, PageNav } from "./page-nav.tsx";
import { SourceChips } from "./source-chips.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

const KIND: Readonly<Record<ClusterView["kind"], string>> = {
  cluster: "cluster",
  demo: "demo cluster",
  snapshot: "saved snapshot",
};

/** What is looked at, and how far it can be trusted. */
export function Header({ fleet, current }: { fleet: LiveFleet; current: PageName }) {
  const { cluster, sources } = fleet.view;
  return (
    <header className="flex min-h-[52px] flex-wrap items-center gap-x-5 gap-y-1 border-b border-line bg-panel px-6 py-1.5 max-md:gap-x-3 max-md:px-3.5">
      <h1 className="flex items-center gap-[9px] text-[15px] font-[650] tracking-[-0.01em]">
        <Mark />
        Seamline
      </h1>
      <p
        className="flex min-w-0 items-center gap-1.5 rounded-md border border-line px-2.5 py-1"
        title={cluster.server ?? ""}
      >
        <b className="max-w-60 truncate font-[560]">{cluster.name}</b>
        <span className="whitespace-nowrap text-ink-3">{KIND[cluster.kind]}</span>
      </p>
      <PageNav current={current} view={fleet.view} />
      <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        <ConnectionState fleet={fleet} />
        <SourceChips sources={sources} heard={fleet.connection !== "lost"} />
        <ThemeToggle />
      </div>
    </header>
  );
}
