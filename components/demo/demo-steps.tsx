"use client";

import { Button } from "@/components/ui/button.tsx";
import type { DemoView } from "@/lib/model/live-view.ts";
import { useDemoControl } from "./use-demo-control.ts";

/** The walk-through: the step that is shown, and controls to go on, back, to any step, or to let it play. */
export function DemoSteps({ demo }: { demo: DemoView }) {
  const { send, problem } = useDemoControl();
  const { steps, step, playing } = demo;
  const shown = steps[step];
  return (
    <div className="mx-auto mt-2 grid max-w-[1592px] gap-x-5 gap-y-2 border-t border-warn/30 pt-2 md:grid-cols-[auto_minmax(0,1fr)]">
      <div className="flex items-center gap-1.5">
        <Button aria-label="Previous step" disabled={step === 0} onClick={() => send({ step: step - 1 })}>
          ‹
        </Button>
        <Button onClick={() => send({ playing: !playing })} className="w-14">
          {playing ? "Pause" : "Play"}
        </Button>
        <Button
          aria-label="Next step"
          disabled={step >= steps.length - 1}
          onClick={() => send({ step: step + 1 })}
        >
          ›
        </Button>
        <ol className="ml-1 flex" aria-label="Steps">
          {steps.map(({ title }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
            <li key={index}>
              <button
                type="button"
                title={title}
                aria-label={`Step ${index + 1}: ${title}`}
                aria-current={index === step ? "step" : undefined}
                onClick={() => send({ step: index })}
                className="grid size-6 place-items-center"
              >
                <span
                  className={`block rounded-full ${index === step ? "size-2.5 bg-warn" : "size-2 border-[1.5px] border-warn"}`}
                />
              </button>
            </li>
          ))}
        </ol>
      </div>
      <p aria-live="polite" className="min-w-0 self-center">
        <b className="font-[620] tabular-nums">
          {step + 1} of {steps.length}: {shown?.title}
        </b>{" "}
        <span className="text-ink-2">{shown?.text}</span>
        {problem !== undefined && <span className="text-warn"> That did not work: {problem}.</span>}
      </p>
    </div>
  );
}
