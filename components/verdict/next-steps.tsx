import { CopyButton } from "@/components/ui/copy-button.tsx";
import { isCommand } from "./markdown.ts";

/** What to do next: commands to copy, and sentences. */
export function NextSteps({ steps }: { steps: readonly string[] }) {
  return (
    <div className="grid gap-2">
      {steps.map((step) =>
        isCommand(step) ? (
          <div
            key={step}
            className="flex items-center justify-between gap-3 rounded-md bg-field py-1.5 pr-1.5 pl-2.5"
          >
            <code className="min-w-0 font-mono text-xs break-words">{step}</code>
            <CopyButton text={step} />
          </div>
        ) : (
          <p key={step} className="text-ink-2">
            {step}
          </p>
        ),
      )}
    </div>
  );
}
