import { z } from "zod";
import { jsonAnswer } from "@/lib/server/json-answer.ts";
import { liveState } from "@/lib/server/live-state.ts";

export const dynamic = "force-dynamic";

const NO_DEMO = "No demo cluster is read.";

/** The demo cluster's state. */
export function GET(): Response {
  const demo = liveState().demo();
  return demo ? jsonAnswer(demo) : jsonAnswer({ error: NO_DEMO }, 404);
}

/** Moves the demo to a step, plays or pauses it; answers its state. The only thing that can be changed at all. */
export async function POST(request: Request): Promise<Response> {
  const demo = liveState().demo();
  if (!demo) return jsonAnswer({ error: NO_DEMO }, 404);
  const change = z
    .strictObject({
      step: z.int().min(0).lt(demo.steps.length).optional(),
      playing: z.boolean().optional(),
    })
    .safeParse(await request.json().catch(() => undefined));
  if (!change.success) return jsonAnswer({ error: z.prettifyError(change.error) }, 400);
  return jsonAnswer(liveState().steerDemo(change.data));
}
