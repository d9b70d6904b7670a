"use client";

import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

type Outcome = "idle" | "copied" | "failed";

/** Copies `text` (or what it makes when pressed) and says whether that worked. */
export function CopyButton({ text, label = "Copy" }: { text: string | (() => string); label?: string }) {
  const [outcome, setOutcome] = useState<Outcome>("idle");
  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => setOutcome("idle"), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    const copied = await writeClipboard(typeof text === "string" ? text : text());
    setOutcome(copied ? "copied" : "failed");
  };
  return (
    <Button onClick={copy}>
      <span aria-live="polite">
        {outcome === "copied" ? "Copied" : outcome === "failed" ? "Could not copy" : label}
      </span>
    </Button>
  );
}

/** The clipboard exists in secure contexts only (https and localhost). */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
