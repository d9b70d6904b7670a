"use client";

import { Age } from "@/components/ui/age.tsx";
import { formatGpus } from "@/components/ui/format.ts";
import type { FleetView, StuckView } from "@/lib/model/fleet-view.ts";
import { podFactsSchema } from "./detail-schema.ts";
import { DetailStates } from "./detail-states.tsx";
import { DrawerTitle } from "./drawer-title.tsx";
import { PodFacts } from "./pod-facts.tsx";
import { PodVerdict } from "./pod-verdict.tsx";
import { useDetail } from "./use-detail.ts";

/** One pod: the verdict where it is stuck, and what it is. */
export function PodDrawer({
  view,
  stuck,
  namespace,
  name,
}: {
  view: FleetView;
  stuck: StuckView | undefined;
  namespace: string;
  name: string;
}) {
  const path = `/api/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  const facts = useDetail(path, podFactsSchema, view.generatedAt);
  const phase = facts.state === "ready" ? facts.detail.phase : undefined;
  return (
    <>
      <DrawerTitle>{stuck ? `${name} is stuck` : name}</DrawerTitle>
      {stuck && (
        <p className="text-ink-2 tabular-nums">
          asks for {formatGpus(stuck.gpus)}
          {phase !== undefined && ` · ${phase}`} · stuck for <Age since={stuck.since} />
        </p>
      )}
      {stuck && <PodVerdict view={view} stuck={stuck} />}
      <DetailStates detail={facts} name={`pod ${namespace}/${name}`}>
        {(pod) => <PodFacts pod={pod} />}
      </DetailStates>
    </>
  );
}
