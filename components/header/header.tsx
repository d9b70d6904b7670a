import type { ReactNode } from "react";
import { formatCount } from "@/components/ui/format.ts";
import type { LiveFleet } from "@/lib/client/use-fleet.ts";
import type { ClusterView } from "@/lib/model/fleet-view.ts";
import { ConnectionState } from "./connection-state.tsx";
import { Mark } from "./mark.tsx";
import { SourceChips } from "./source-chips.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

const KIND: Readonly<Record<ClusterView["kind"], string>> = {
  cluster: "cluster",
  demo: "demo cluster",
  snapshot: "saved snapshot",
};

/** What is looked at, and how far it can be trusted. */
export function Header({ fleet }: { fleet: LiveFleet }) {
  const { cluster, sources, stuck, counts, pools } = fleet.view;
  const stuckCount = counts.pods === null ? "?" : formatCount(stuck.length);
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
      {pools.length > 0 && (
        <nav aria-label="Parts of the page" className="flex gap-1 max-md:hidden">
          <PartLink href="#fleet">Fleet</PartLink>
          <PartLink href="#stuck">
            Stuck <b className={stuck.length > 0 ? "font-semibold text-l2" : "font-normal"}>{stuckCount}</b>
          </PartLink>
        </nav>
      )}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        <ConnectionState fleet={fleet} />
        <SourceChips sources={sources} heard={fleet.connection !== "lost"} />
        <ThemeToggle />
      </div>
    </header>
  );
}

function PartLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      className="rounded-md px-2.5 py-1 whitespace-nowrap text-ink-2 tabular-nums hover:bg-field hover:text-ink"
    >
      {children}
    </a>
  );
}
