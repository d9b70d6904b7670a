"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";

/** What a drawer shows. */
export type Selection =
  | { readonly kind: "pod"; readonly namespace: string; readonly name: string }
  | { readonly kind: "node"; readonly name: string }
  /** `id` as in `PoolView.id`: `reservation/ID`, `node-pool/NAME`, `instance-type/NAME`. */
  | { readonly kind: "pool"; readonly id: string };

const KEYS = ["pod", "node", "pool"] as const;

/** The selection that a query names; the first of pod, node, pool counts, a malformed one is none. */
export function parseSelection(query: URLSearchParams): Selection | null {
  const pod = query.get("pod");
  if (pod) {
    const slash = pod.indexOf("/");
    if (slash > 0 && slash < pod.length - 1) {
      return { kind: "pod", namespace: pod.slice(0, slash), name: pod.slice(slash + 1) };
    }
  }
  const node = query.get("node");
  if (node) return { kind: "node", name: node };
  const pool = query.get("pool");
  return pool ? { kind: "pool", id: pool } : null;
}

/** The address that shows `selection` (null: none) and keeps all other parameters of `query`. */
export function selectionHref(query: URLSearchParams, selection: Selection | null): string {
  const next = new URLSearchParams(query);
  for (const key of KEYS) next.delete(key);
  if (selection?.kind === "pod") next.set("pod", `${selection.namespace}/${selection.name}`);
  if (selection?.kind === "node") next.set("node", selection.name);
  if (selection?.kind === "pool") next.set("pool", selection.id);
  return `?${next.toString().replaceAll("%2F", "/")}`;
}

/** Opens `selection` without asking the server for a page; the back button leads to what was open before. */
export function openSelection(selection: Selection | null): void {
  const href = selectionHref(new URLSearchParams(window.location.search), selection);
  if (href === (window.location.search || "?")) return;
  window.history.pushState(null, "", href === "?" ? window.location.pathname : href);
}

/** The selection in the address, and how to change it. */
export function useSelection(): {
  readonly selected: Selection | null;
  readonly select: (selection: Selection | null) => void;
  readonly href: (selection: Selection | null) => string;
} {
  const query = useSearchParams();
  const selected = useMemo(() => parseSelection(query), [query]);
  const href = useCallback((selection: Selection | null) => selectionHref(query, selection), [query]);
  return { selected, select: openSelection, href };
}
