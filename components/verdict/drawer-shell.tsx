"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button.tsx";

/**
 * The panel at the right, beside the page: what is under it stays usable. Focus goes in when it opens or shows another
 * object (`shows`), and back to where it came from when it closes; Escape closes it.
 */
export function DrawerShell({
  label,
  shows,
  crumbs,
  actions,
  onClose,
  children,
}: {
  label: string;
  shows: string;
  crumbs: readonly string[];
  actions: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const panel = useRef<HTMLDivElement>(null);
  useReturnFocus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus follows the object that is shown
  useEffect(() => {
    panel.current?.scrollTo(0, 0);
    panel.current?.focus({ preventScroll: true });
  }, [shows]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) onClose();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onClose]);
  return (
    <div
      ref={panel}
      role="dialog"
      aria-modal="false"
      aria-label={label}
      tabIndex={-1}
      className="fixed inset-y-0 right-0 z-40 w-full max-w-[620px] overflow-y-auto overscroll-contain border-l border-line bg-panel px-4 pb-10 shadow-[-8px_0_24px_rgb(0_0_0/0.06)] outline-none sm:px-6"
    >
      <div className="sticky top-0 z-10 -mx-4 flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-soft bg-panel px-4 py-2.5 text-xs sm:-mx-6 sm:px-6">
        <p className="min-w-0 truncate text-ink-2" title={crumbs.join(" / ")}>
          {crumbs.join(" / ")}
        </p>
        <div className="ml-auto flex gap-1.5">
          {actions}
          <Button aria-label="Close" title="Close (Esc)" onClick={onClose}>
            ✕
          </Button>
        </div>
      </div>
      {children}
    </div>
  );
}

/** Remembers what had the focus, and gives it back at the end if it is still there. */
function useReturnFocus(): void {
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
}
