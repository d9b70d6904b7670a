import { setTimeout as delay } from "node:timers/promises";

const POLL = 50;

/**
 * Asks again and again for a value.
 *
 * @param between what is done after each time that there was none, such as to look whether there can still be one
 * @throws Error that names `what` after `patience` milliseconds, and what `between` throws.
 */
export async function until<T>(
  ask: () => Promise<T | undefined>,
  what: string,
  patience: number,
  between: () => Promise<void> = async () => {},
): Promise<T> {
  const deadline = Date.now() + patience;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    await between();
    if (Date.now() > deadline) throw new Error(`waited ${patience / 1_000} s for ${what}`);
    await delay(POLL);
  }
}
