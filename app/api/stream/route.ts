import { jsonAnswer } from "@/lib/server/json-answer.ts";
import { liveState } from "@/lib/server/live-state.ts";

export const dynamic = "force-dynamic";

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform keeps Next and proxies from compressing, which would hold small events back.
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Server-sent events `view`, `trend` and `demo`, the newest of each first. */
export function GET(): Response {
  const stream = liveState().openStream();
  if (!stream) return jsonAnswer({ error: "Too many streams are open, or the server ends." }, 503);
  return new Response(stream, { headers });
}

/** Said apart from GET, since a stream that nobody reads would stay open. */
export function HEAD(): Response {
  return new Response(null, { headers });
}
