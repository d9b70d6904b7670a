"use client";

import type { FleetView } from "@/lib/model/fleet-view.ts";
import { nodeDetailSchema } from "./detail-schema.ts";
import { DetailStates } from "./detail-states.tsx";
import { DrawerTitle } from "./drawer-title.tsx";
import { NodeFacts } from "./node-facts.tsx";
import { useDetail } from "./use-detail.ts";

/** One node: its GPUs from the machine down to who holds them, and what it says of itself. */
export function NodeDrawer({ view, name }: { view: FleetView; name: string }) {
  const detail = useDetail(`/api/nodes/${encodeURIComponent(name)}`, nodeDetailSchema, view.generatedAt);
  return (
    <>
      <DrawerTitle>{name}</DrawerTitle>
      <DetailStates detail={detail} name={`node ${name}`}>
        {(node) => <NodeFacts node={node} />}
      </DetailStates>
    </>
  );
}
