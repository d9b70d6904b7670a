"use client";

import { formatAge } from "@/components/ui/format.ts";
import { useNow } from "@/lib/client/clock.tsx";
import type { LiveFleet } from "@/lib/client/use-fleet.ts";

/** Says when the page no longer hears from Seamline's server: what it shows stays, and is from before. */
export function ConnectionState({ fleet }: { fleet: Pick<LiveFleet, "view" | "connection" | "problem"> }) {
  const lost = fleet.connection === "lost";
  return (
    <p role="status" className="text-xs">
      {lost && (
        <span className="rounded-md bg-warn-soft px-2 py-1 font-semibold text-warn">
          Connection lost, shown as of <ViewAge generatedAt={fleet.view.generatedAt} /> ago
        </span>
      )}
      {!lost && fleet.problem !== undefined && (
        <span
          className="rounded-md bg-warn-soft px-2 py-1 font-semibold text-warn"
          title={`The server sends what this page does not understand: ${fleet.problem}`}
        >
          Out of step with the server: reload the page
        </span>
      )}
    </p>
  );
}

function ViewAge({ generatedAt }: { generatedAt: string }) {
  return <span className="tabular-nums">{formatAge(useNow() - Date.parse(generatedAt))}</span>;
}
