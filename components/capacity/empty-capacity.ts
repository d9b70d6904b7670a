import type { SourceView } from "@/lib/model/fleet-view.ts";

/** Why there is no reservation to show. */
export type EmptyCapacity =
  /** Nothing says what is paid for. */
  | { readonly kind: "not-configured" }
  | { readonly kind: "loading" }
  /** What would say so cannot be read. */
  | { readonly kind: "unread"; readonly sources: readonly SourceView[] }
  /** All was read and holds none. */
  | { readonly kind: "none"; readonly sources: readonly SourceView[] };

/** Tells why, by the sources of reservations. */
export function emptyCapacity(sources: readonly SourceView[]): EmptyCapacity {
  const configured = sources.filter(
    ({ kind, state }) => kind === "reservations" && state !== "not-configured",
  );
  if (configured.length === 0) return { kind: "not-configured" };
  const unread = configured.filter(
    ({ state, error }) => error !== null || !["live", "stale", "loading"].includes(state),
  );
  if (unread.length > 0) return { kind: "unread", sources: unread };
  return configured.some(({ state }) => state === "loading")
    ? { kind: "loading" }
    : { kind: "none", sources: configured };
}
