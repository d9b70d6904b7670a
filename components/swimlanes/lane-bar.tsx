import { stageTitle } from "@/components/seam-strip/strip-parts.ts";
import { StageBar, UnknownBar } from "@/components/ui/stage-bar.tsx";
import type { LedgerView } from "@/lib/model/fleet-view.ts";
import { type Layer, stageInfo } from "@/lib/model/stages.ts";
import { lookOf } from "./cell-looks.ts";

/** One pool in one lane as a bar: grey is still there, a loss has its stage's look, a ghost was lost further down. */
export function LaneBar({
  ledger,
  layer,
  untold,
}: {
  ledger: Pick<LedgerView, "stages" | "unknown">;
  layer: Layer;
  /** How GPUs look whose stage cannot be told. */
  untold: "ok" | "unknown";
}) {
  const unknown = ledger.unknown.gpus ?? 0;
  return (
    <div className="flex h-full w-full gap-px">
      {[...ledger.stages].reverse().map((stage) => {
        if (!stage.gpus) return null;
        const look = lookOf(stageInfo(stage.stage).code, layer);
        if (look === "ok" || look === "ghost") {
          return <PlainBar key={stage.stage} look={look} gpus={stage.gpus} title={stageTitle(stage)} />;
        }
        return <StageBar key={stage.stage} stage={stage.stage} gpus={stage.gpus} title={stageTitle(stage)} />;
      })}
      {unknown > 0 && untold === "unknown" && (
        <UnknownBar gpus={unknown} title={`${unknown} cannot be told`} />
      )}
      {unknown > 0 && untold === "ok" && (
        <PlainBar look="ok" gpus={unknown} title={`${unknown} get through, where they end cannot be told`} />
      )}
    </div>
  );
}

function PlainBar({ look, gpus, title }: { look: "ok" | "ghost"; gpus: number; title: string }) {
  return (
    <span
      title={title}
      className={`block h-full min-w-[3px] basis-0 rounded-[1px] ${look === "ok" ? "bg-ok" : "bg-ghost"}`}
      style={{ flexGrow: gpus }}
    />
  );
}
