import type { LadderStepView } from "@/lib/model/fleet-view.ts";
import { LAYERS, type Layer } from "@/lib/model/stages.ts";

const WORD: Readonly<Record<LadderStepView["state"], string>> = {
  ok: "fine",
  broken: "at fault",
  "not-reached": "not reached",
  unknown: "cannot be seen",
};

const FAULT: Readonly<Record<Layer, string>> = { L1: "bg-l1", L2: "bg-l2", L3: "bg-l3", L4: "bg-l4" };

function look(state: LadderStepView["state"], layer: Layer): string {
  if (state === "broken") return FAULT[layer];
  if (state === "ok") return "bg-ok-soft";
  return `border ${state === "unknown" ? "border-dotted border-ink-3" : "border-dashed border-ink-3"}`;
}

/**
 * The four layers as small squares, L1 first: grey is checked and fine, coloured at fault, dashed not reached,
 * dotted with a question mark cannot be seen. `layer`: the one at fault.
 */
export function Ladder({ steps, layer }: { steps: Readonly<Record<Layer, LadderStepView>>; layer: Layer }) {
  const text = LAYERS.map((each) => `${each} ${WORD[steps[each].state]}`).join(", ");
  return (
    <span
      role="img"
      aria-label={`At fault: ${layer}. ${text}`}
      title={text}
      className="inline-grid grid-cols-[repeat(4,16px)] gap-0.5 align-[-2px]"
    >
      {LAYERS.map((each) => (
        <span
          key={each}
          className={`h-3 rounded-[2px] text-center text-[9px] leading-[10px] text-ink-2 ${look(steps[each].state, each)}`}
        >
          {steps[each].state === "unknown" ? "?" : ""}
        </span>
      ))}
    </span>
  );
}
