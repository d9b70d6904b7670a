"use client";

import { useMutation } from "@tanstack/react-query";

/** What the walk-through is told: show a step (index), or play or pause. */
export type DemoCommand = { readonly step: number } | { readonly playing: boolean };

/** Sends commands to the demo; what they did comes back over the stream. `problem`: why the last one failed. */
export function useDemoControl(): { send: (command: DemoCommand) => void; problem: string | undefined } {
  const { mutate, error } = useMutation({ mutationFn: postDemo });
  return { send: mutate, problem: error?.message };
}

async function postDemo(command: DemoCommand): Promise<void> {
  const response = await fetch("/api/demo", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(command),
  });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
}
