"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import type { DiagnosisView, LogTailView } from "@/lib/model/detail-view.ts";
import type { StuckView } from "@/lib/model/fleet-view.ts";
import { fetchLogs } from "./fetch-logs.ts";
import { Section } from "./section.tsx";

type Reading =
  | { readonly state: "idle" | "reading" }
  | { readonly state: "failed"; readonly problem: string }
  | { readonly state: "read"; readonly logs: readonly LogTailView[] };

/** Reads the pod's logs when asked to, and hands on the verdict that rests on them. */
export function PodLogs({
  namespace,
  name,
  onVerdict,
}: {
  namespace: string;
  name: string;
  onVerdict: (verdict: StuckView) => void;
}) {
  const [reading, setReading] = useState<Reading>({ state: "idle" });
  const read = async () => {
    setReading({ state: "reading" });
    const answer = await fetchLogs(namespace, name);
    if ("problem" in answer) setReading({ state: "failed", problem: answer.problem });
    else show(answer);
  };
  const show = (diagnosis: DiagnosisView) => {
    onVerdict(diagnosis);
    setReading({ state: "read", logs: diagnosis.logs ?? [] });
  };
  return (
    <Section title="Logs" note="the last 200 lines, read only now, secrets blanked out">
      <Button disabled={reading.state === "reading"} onClick={() => void read()}>
        {reading.state === "reading" ? "Reading …" : reading.state === "read" ? "Read again" : "Read logs"}
      </Button>
      {reading.state === "failed" && (
        <p role="status" className="mt-2 break-words text-warn">
          {reading.problem}
        </p>
      )}
      {reading.state === "read" &&
        reading.logs.map((log) => <LogTail key={`${log.container}/${log.previous}`} log={log} />)}
    </Section>
  );
}

function LogTail({ log: { container, previous, text, problem } }: { log: LogTailView }) {
  return (
    <div className="mt-2">
      <p className="text-xs text-ink-2">
        {container}
        {previous && ", the run before"}
      </p>
      {problem === null ? (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
          tabIndex={0}
          className="mt-1 max-h-72 overflow-auto rounded-[5px] bg-field px-2 py-1 font-mono text-[11.5px] wrap-anywhere whitespace-pre-wrap"
        >
          {text || "It has printed nothing."}
        </pre>
      ) : (
        <p className="mt-1 break-words text-warn">{problem}</p>
      )}
    </div>
  );
}
