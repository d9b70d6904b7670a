import { jsonAnswer } from "@/lib/server/json-answer.ts";
import { liveState } from "@/lib/server/live-state.ts";

export const dynamic = "force-dynamic";

/** One pod, for the drawer. */
export async function GET(
  _request: Request,
  context: { readonly params: Promise<{ readonly namespace: string; readonly name: string }> },
): Promise<Response> {
  const { namespace, name } = await context.params;
  const detail = liveState().podDetail(namespace, name);
  return detail ? jsonAnswer(detail) : jsonAnswer({ error: `No pod ${namespace}/${name} is known.` }, 404);
}
