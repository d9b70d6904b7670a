import { z } from "zod";
import { jsonAnswer } from "@/lib/server/json-answer.ts";
import { liveState } from "@/lib/server/live-state.ts";

export const dynamic = "force-dynamic";

const name = z.string().min(1, { error: "expected a name" });

const query = z.object({
  kind: z.string().min(1).optional(),
  namespace: z.string().default(""),
  name,
  logs: z
    .enum(["true", "false"], { error: "expected true or false" })
    .default("false")
    .transform((word) => word === "true"),
});

/** The verdict on one object that is stuck; with `logs=true` its pod's logs are read for it. */
export async function GET(request: Request): Promise<Response> {
  const asked = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!asked.success) {
    const lines = asked.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    return jsonAnswer(
      { error: `${lines.join("; ")}. Ask as ?namespace=NAMESPACE&name=NAME[&kind=KIND][&logs=true].` },
      400,
    );
  }
  const { kind, ...rest } = asked.data;
  const diagnosis = await liveState().diagnosis({ kind, ...rest });
  if (diagnosis) return jsonAnswer(diagnosis);
  const object = `${kind ?? "object"} ${rest.namespace}/${rest.name}`;
  return jsonAnswer({ error: `Nothing says that ${object} is stuck, or it is not known.` }, 404);
}
