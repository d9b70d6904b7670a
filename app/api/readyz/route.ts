import { jsonAnswer } from "@/lib/server/json-answer.ts";
import { liveState } from "@/lib/server/live-state.ts";

export const dynamic = "force-dynamic";

/** 200 once there is something to show, else 503 and why not. */
export function GET(): Response {
  const { ready, why } = liveState().readiness();
  return ready ? jsonAnswer({ status: "ready" }) : jsonAnswer({ status: "not ready", why }, 503);
}
