import { z } from "zod";
import type { DiagnosisView } from "@/lib/model/detail-view.ts";
import { diagnosisSchema } from "./detail-schema.ts";

const failure = z.object({ error: z.string() });

/** The verdict on a pod by what its containers have printed, or a sentence why there is none. Never throws. */
export async function fetchLogs(
  namespace: string,
  name: string,
): Promise<DiagnosisView | { readonly problem: string }> {
  const query = new URLSearchParams({ namespace, name, kind: "Pod", logs: "true" });
  try {
    const response = await fetch(`/api/diagnosis?${query}`, { headers: { accept: "application/json" } });
    const body: unknown = await response.json();
    if (!response.ok)
      return { problem: failure.safeParse(body).data?.error ?? `The server answered ${response.status}.` };
    const parsed = diagnosisSchema.safeParse(body);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return { problem: `The answer is not understood: ${issue?.path.join(".")}: ${issue?.message}` };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
