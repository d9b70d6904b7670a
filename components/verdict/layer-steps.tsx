import type { LadderStepView } from "@/lib/model/fleet-view.ts";
import { LAYER_INFO, LAYERS, type Layer } from "@/lib/model/stages.ts";
import { LAYER_FILL } from "./layer-classes.ts";

const WORD: Readonly<Record<LadderStepView["state"], string>> = {
  ok: "fine",
  broken: "at fault",
  "not-reached": "not reached",
  unknown: "cannot be seen",
};

/** The four layers with what was found in each, L4 on top: read from the ground up. */
export function LayerSteps({ ladder }: { ladder: Readonly<Record<Layer, LadderStepView>> }) {
  return (
    <ol reversed>
      {[...LAYERS].reverse().map((layer) => {
        const { state, detail } = ladder[layer];
        return (
          <li
            key={layer}
            className="grid grid-cols-[22px_116px_minmax(0,1fr)] gap-x-3 border-t border-line-soft py-2"
          >
            <span
              aria-hidden="true"
              className={`grid size-[22px] place-items-center rounded-md text-[10.5px] font-[650] ${mark(state, layer)}`}
            >
              {layer}
            </span>
            <span className="font-[560]">{LAYER_INFO[layer].title}</span>
            <span className={state === "broken" ? "font-[560]" : "text-ink-2"}>
              {detail ? (
                <>
                  <span className="sr-only">{WORD[state]}: </span>
                  {detail}
                </>
              ) : (
                WORD[state]
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function mark(state: LadderStepView["state"], layer: Layer): string {
  if (state === "broken") return LAYER_FILL[layer];
  if (state === "ok") return "bg-ok text-on-layer";
  return `border-[1.5px] border-ink-3 text-ink-3 ${state === "unknown" ? "border-dotted" : "border-dashed"}`;
}
