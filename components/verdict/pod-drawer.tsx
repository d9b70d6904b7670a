"use client";

import { useState } from "react";
import { Age } from "@/components/ui/age.tsx";
import { formatGpus } from "@/components/ui/format.ts";
import type { FleetView, StuckView } from "@/lib/model/fleet-view.ts";
import { podDetailSchema } from "./detail-schema.ts";
import { DetailStates } from "./detail-states.tsx";
import { DrawerTitle } from "./drawer-title.tsx";
import { PodFacts } from "./pod-facts.tsx";
import { PodLogs } from "./pod-logs.tsx";
import { StuckVerdict } from "./stuck-verdict.tsx";
import { useDetail } from "./use-detail.ts";

/** One pod: the verdict where it is stuck, with its logs when they are asked for, and what it is. */
export function PodDrawer({
  view,
  entry,
  namespace,
  name,
}: {
  view: FleetView;
  /** Of the stuck list: the pod, or the one that speaks for it and others. */
  entry: StuckView | undefined;
  namespace: string;
  name: string;
}) {
  const path = `/api/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  const detail = useDetail(path, podDetailSchema, view.generatedAt);
  const [informed, setInformed] = useState<StuckView | null>(null);
  const known = detail.state === "ready" ? detail.detail : undefined;
  const own = known?.verdict && { ...known.verdict, members: entry?.members ?? [], count: entry?.count ?? 1 };
  const stuck = informed ?? (entry?.name === name ? entry : (own ?? entry));
  const hasRun = known?.containers.some(({ state }) => state !== "not started") ?? false;
  return (
    <>
      <DrawerTitle>{stuck ? `${name} is stuck` : name}</DrawerTitle>
      {stuck && (
        <p className="text-ink-2 tabular-nums">
          asks for {formatGpus(known?.gpus ?? stuck.gpus)}
          {known && ` · ${known.phase}`} · stuck for <Age since={stuck.since} />
        </p>
      )}
      {stuck && <StuckVerdict view={view} stuck={stuck} />}
      {hasRun && <PodLogs key={path} namespace={namespace} name={name} onVerdict={setInformed} />}
      <DetailStates detail={detail} name={`pod ${namespace}/${name}`}>
        {(pod) => <PodFacts pod={pod} />}
      </DetailStates>
    </>
  );
}
