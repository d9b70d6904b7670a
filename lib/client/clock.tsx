"use client";

import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

/** Server time at which the page was rendered: what hydration starts from, so that both sides draw the same ages. */
const RenderedAt = createContext(0);

/** Gives all ages below it their first `now`. `renderedAt`: epoch ms, the view's `generatedAt`. */
export function ClockProvider({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  return <RenderedAt value={renderedAt}>{children}</RenderedAt>;
}

/** Server clock minus browser clock in ms: ages are told by the server's clock, whatever the browser's says. */
let offset = 0;
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now() + offset;
  for (const listener of listeners) listener();
}

/** Sets the clock by a view that has just arrived; `serverTime` is its `generatedAt` in epoch ms. */
export function syncClock(serverTime: number): void {
  const measured = serverTime - Date.now();
  if (now !== 0 && Math.abs(measured - offset) < 1_500) return;
  offset = measured;
  tick();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The server's time in epoch ms, anew every second; one timer for the whole page. */
export function useNow(): number {
  const renderedAt = useContext(RenderedAt);
  return useSyncExternalStore(
    subscribe,
    () => (now === 0 ? renderedAt : now),
    () => renderedAt,
  );
}
