/** A `view` event of the dashboard's stream. */
export interface ViewFrame {
  /** `performance.now()` at which its last byte was there. */
  readonly at: number;
  /** JSON. */
  readonly data: string;
}

/**
 * Reads `GET /api/stream` until `signal` ends it, or the server does.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function readViewStream(
  url: string,
  signal: AbortSignal,
  onView: (frame: ViewFrame) => void,
): Promise<void> {
  const response = await fetch(`${url}/api/stream`, { signal });
  if (!response.ok || !response.body) throw new Error(`GET /api/stream: ${response.status}`);
  let rest = "";
  try {
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const at = performance.now();
      if (!piece.includes("\n")) {
        rest += piece;
        continue;
      }
      const frames = (rest + piece).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const lines = frame.split("\n");
        const data = lines.find((line) => line.startsWith("data: "));
        if (lines.includes("event: view") && data) onView({ at, data: data.slice("data: ".length) });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
