import { CopyButton } from "@/components/ui/copy-button.tsx";
import type { DemoView } from "@/lib/model/live-view.ts";
import { DemoSteps } from "./demo-steps.tsx";

/** Says that what is shown is the bundled demo, not the reader's cluster; with the walk-through where there is one. */
export function DemoBanner({ demo }: { demo: DemoView | null }) {
  if (!demo) return null;
  const kubectl = `kubectl --server=${demo.server} get nodes`;
  const others = demo.scenarios.filter((name) => name !== demo.scenario);
  return (
    <section
      aria-label="Demo cluster"
      className="border-b-2 border-warn bg-warn-soft px-4 py-2 text-sm sm:px-6"
    >
      <div className="mx-auto flex max-w-[1592px] flex-wrap items-center gap-x-5 gap-y-1.5">
        <p className="min-w-0 max-w-3xl flex-1 basis-80">
          <strong className="font-[650] text-warn">Demo cluster</strong> — “{demo.title}”: a bundled scenario,
          not your cluster. To see yours, set <Name>KUBECONFIG</Name> or <Name>SEAMLINE_CONTEXT</Name> and
          start again.
          {others.length > 0 && (
            <> Other scenarios: {others.map((name) => `SEAMLINE_DEMO=${name}`).join(", ")}.</>
          )}
        </p>
        <p className="flex min-w-0 items-center gap-2">
          <code className="min-w-0 font-mono text-xs break-all">{kubectl}</code>
          <CopyButton text={kubectl} />
        </p>
      </div>
      {!demo.loops && demo.steps.length > 0 && <DemoSteps demo={demo} />}
    </section>
  );
}

function Name({ children }: { children: string }) {
  return <code className="font-mono text-xs">{children}</code>;
}
