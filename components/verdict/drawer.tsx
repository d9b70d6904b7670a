"use client";

import { useCallback } from "react";
import { CopyButton } from "@/components/ui/copy-button.tsx";
import { useNow } from "@/lib/client/clock.tsx";
import { type Selection, shows, useSelection } from "@/lib/client/selection.ts";
import type { FleetView, StuckView } from "@/lib/model/fleet-view.ts";
import { DrawerShell } from "./drawer-shell.tsx";
import { stuckMarkdown } from "./markdown.ts";
import { NodeDrawer } from "./node-drawer.tsx";
import { PodDrawer } from "./pod-drawer.tsx";
import { PoolDrawer } from "./pool-drawer.tsx";
import { StuckDrawer } from "./stuck-drawer.tsx";

/** The pod, node or pool that the address names, in a panel beside the page; nothing where it names none. */
export function Drawer({ view }: { view: FleetView }) {
  const { selected, select } = useSelection();
  const close = useCallback(() => select(null), [select]);
  if (!selected) return null;
  const stuck = stuckOf(view, selected);
  const crumbs = crumbsOf(view, selected);
  return (
    <DrawerShell
      label={`Details of ${crumbs.join(" ")}`}
      shows={crumbs.join("/")}
      crumbs={crumbs}
      onClose={close}
      actions={
        <>
          {stuck && <CopyMarkdown stuck={stuck} />}
          <CopyButton label="Copy link" text={() => window.location.href} />
        </>
      }
    >
      <Shown view={view} selected={selected} stuck={stuck} />
    </DrawerShell>
  );
}

function Shown({
  view,
  selected,
  stuck,
}: {
  view: FleetView;
  selected: Selection;
  stuck: StuckView | undefined;
}) {
  switch (selected.kind) {
    case "pod":
      return (
        <PodDrawer
          key={`${selected.namespace}/${selected.name}`}
          view={view}
          entry={stuck}
          namespace={selected.namespace}
          name={selected.name}
        />
      );
    case "stuck":
      return <StuckDrawer view={view} entry={stuck} kind={selected.of} name={selected.name} />;
    case "node":
      return <NodeDrawer view={view} name={selected.name} />;
    case "pool":
      return <PoolDrawer view={view} id={selected.id} />;
    default:
      return selected satisfies never;
  }
}

function CopyMarkdown({ stuck }: { stuck: StuckView }) {
  const now = useNow();
  return (
    <CopyButton
      label="Copy as Markdown"
      text={() => stuckMarkdown(stuck, { link: window.location.href, now })}
    />
  );
}

function stuckOf(view: FleetView, selected: Selection): StuckView | undefined {
  return view.stuck.find((entry) => shows(selected, entry));
}

function crumbsOf(view: FleetView, selected: Selection): string[] {
  switch (selected.kind) {
    case "pod":
      return ["pod", selected.namespace, selected.name];
    case "stuck":
      return [selected.of, selected.namespace, selected.name].filter(Boolean);
    case "node":
      return ["node", selected.name];
    case "pool":
      return ["pool", view.pools.find(({ id }) => id === selected.id)?.name ?? selected.id];
    default:
      return selected satisfies never;
  }
}
