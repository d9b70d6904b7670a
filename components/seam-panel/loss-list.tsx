"use client";

import { useState } from "react";
import { ShowMore } from "@/components/verdict/show-more.tsx";
import type { LossView } from "@/lib/model/fleet-view.ts";
import { LossRow } from "./loss-row.tsx";

const FIRST = 8;

/** Losses as they are sorted on the wire: most money first. `empty`: what to say where there are none. */
export function LossList({ losses, empty }: { losses: readonly LossView[]; empty: string }) {
  const [all, setAll] = useState(false);
  if (losses.length === 0) {
    return <p className="border-t border-line-soft px-4 py-3 text-ink-2">{empty}</p>;
  }
  const shown = all ? losses : losses.slice(0, FIRST);
  return (
    <>
      <ul>
        {shown.map((loss) => (
          <LossRow key={loss.id} loss={loss} />
        ))}
      </ul>
      {shown.length < losses.length && (
        <div className="border-t border-line-soft px-4 py-1">
          <ShowMore shown={shown.length} total={losses.length} what="losses" onMore={() => setAll(true)} />
        </div>
      )}
    </>
  );
}
