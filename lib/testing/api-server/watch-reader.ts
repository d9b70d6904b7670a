import { createWatchDecoder, type WatchItem } from "../../sources/kubernetes/wire.ts";

/** A watch as a test reads it. */
export interface WatchReader {
  readonly status: number;
  readonly contentType: string;
  /** The next event; `end` where the answer ended cleanly, `broken` where the connection was cut. */
  next(): Promise<WatchItem | "end" | "broken">;
  close(): void;
}

/** Opens a watch and reads it event by event, in either wire format. */
export async function openWatch(url: string, accept = "application/json"): Promise<WatchReader> {
  const controller = new AbortController();
  const response = await fetch(url, { headers: { accept }, signal: controller.signal });
  const contentType = response.headers.get("content-type") ?? "";
  const decode = createWatchDecoder(contentType);
  const chunks = response.body?.getReader();
  const items: WatchItem[] = [];

  async function next(): Promise<WatchItem | "end" | "broken"> {
    for (;;) {
      const item = items.shift();
      if (item) return item;
      try {
        const chunk = await chunks?.read();
        if (!chunk || chunk.done) return "end";
        items.push(...decode(chunk.value));
      } catch {
        return "broken";
      }
    }
  }
  return { status: response.status, contentType, next, close: () => controller.abort() };
}
