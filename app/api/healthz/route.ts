import { jsonAnswer } from "@/lib/server/json-answer.ts";

export const dynamic = "force-dynamic";

/** The process lives, whatever becomes of the cluster. */
export function GET(): Response {
  return jsonAnswer({ status: "ok" });
}
