import { Age } from "@/components/ui/age.tsx";
import { formatGpus } from "@/components/ui/format.ts";
import type { FleetView, StuckView } from "@/lib/model/fleet-view.ts";
import { Gone } from "./detail-states.tsx";
import { DrawerTitle } from "./drawer-title.tsx";
import { StuckVerdict } from "./stuck-verdict.tsx";

/** An object that should have made pods and could not. */
export function StuckDrawer({
  view,
  entry,
  kind,
  name,
}: {
  view: FleetView;
  entry: StuckView | undefined;
  kind: string;
  name: string;
}) {
  return (
    <>
      <DrawerTitle>{entry ? `${kind} ${name} is stuck` : `${kind} ${name}`}</DrawerTitle>
      {entry ? (
        <>
          <p className="text-ink-2 tabular-nums">
            asks for {formatGpus(entry.gpus)} · has no pods · stuck for <Age since={entry.since} />
          </p>
          <StuckVerdict view={view} stuck={entry} />
        </>
      ) : (
        <Gone name={`A verdict on ${kind} ${name}`} />
      )}
    </>
  );
}
