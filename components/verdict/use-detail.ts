"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { z } from "zod";

/** What is known of one object. `problem`: why what is shown may be old, or why there is nothing. */
export type Detail<T> =
  | { readonly state: "loading" }
  | { readonly state: "gone" }
  | { readonly state: "failed"; readonly problem: string }
  | { readonly state: "ready"; readonly detail: T; readonly problem: string | undefined };

/**
 * One object's details from `path`, asked for anew whenever the view changes (`generatedAt`), one request at a time.
 */
export function useDetail<T>(path: string, schema: z.ZodType<T>, generatedAt: string): Detail<T> {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["detail", path],
    queryFn: ({ signal }) => fetchDetail(path, schema, signal),
    retry: false,
    refetchInterval: 10_000,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new view is the reason to ask again
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ["detail", path] }, { cancelRefetch: false });
  }, [client, path, generatedAt]);

  if (query.data === undefined) {
    return query.error ? { state: "failed", problem: query.error.message } : { state: "loading" };
  }
  if (query.data === null) return { state: "gone" };
  return { state: "ready", detail: query.data, problem: query.error?.message };
}

/** The object; null where the server knows none of that name. Throws with a sentence where it does not answer. */
async function fetchDetail<T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T | null> {
  const response = await fetch(path, { signal, headers: { accept: "application/json" } });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  const parsed = schema.safeParse(await response.json());
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`The answer is not understood: ${issue?.path.join(".")}: ${issue?.message}`);
}
