import { jsonAnswer } from "@/lib/server/json-answer.ts";
import { liveState } from "@/lib/server/live-state.ts";

export const dynamic = "force-dynamic";

/** The whole FleetView. */
export function GET(): Response {
  return jsonAnswer(liveState().view());
}
