import { jsonAnswer } from "@/lib/server/json-answer.ts";
import { liveState } from "@/lib/server/live-state.ts";

export const dynamic = "force-dynamic";

/** One node, for the drawer. */
export async function GET(
  _request: Request,
  context: { readonly params: Promise<{ readonly name: string }> },
): Promise<Response> {
  const { name } = await context.params;
  const detail = liveState().nodeDetail(name);
  return detail ? jsonAnswer(detail) : jsonAnswer({ error: `No node ${name} is known.` }, 404);
}
