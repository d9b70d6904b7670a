"use client";

import { Button } from "@/components/ui/button.tsx";

/** The page itself failed to draw: said as such, with a way to try again. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <main className="mx-auto grid max-w-xl justify-items-start gap-2 px-6 py-16" role="alert">
      <h1 className="text-[17px] font-[620]">The page could not be drawn</h1>
      <p className="text-ink-2">
        This is a fault of Seamline, not of the cluster. The figures are still at <code>/api/view</code>.
      </p>
      <p className="font-mono text-xs break-all text-ink-2">{error.digest ?? error.message}</p>
      <Button onClick={reset}>Try again</Button>
    </main>
  );
}
