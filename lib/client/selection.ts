"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import type { StuckView } from "../model/fleet-view.ts";

/** What a drawer shows. */
export type Selection =
  | { readonly kind: "pod"; readonly namespace: string; readonly name: string }
  | { readonly kind: "node"; readonly name: string }
  /** An object that lacks pods: `of` is its kind, `Workload`. */
  | { readonly kind: "stuck"; readonly of: string; readonly namespace: string; readonly name: string }
  /** `id` as in `PoolView.id`: `reservation/ID`, `node-pool/NAME`, `instance-type/NAME`. */
  | { readonly kind: "pool"; readonly id: string };

const KEYS = ["pod", "stuck", "node", "pool"] as const;

/** The selection that a query names; the first of pod, stuck, node, pool counts, a malformed one is none. */
export function parseSelection(query: URLSearchParams): Selection | null {
  const pod = query.get("pod");
  if (pod) {
    const slash = pod.indexOf("/");
    if (slash > 0 && slash < pod.length - 1) {
      return { kind: "pod", namespace: pod.slice(0, slash), name: pod.slice(slash + 1) };
    }
  }
  const [of, namespace, ...rest] = (query.get("stuck") ?? "").split("/");
  if (of && namespace !== undefined && rest.join("/") !== "") {
    return { kind: "stuck", of, namespace, name: rest.join("/") };
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
  if (selection?.kind === "stuck") {
    next.set("stuck", `${selection.of}/${selection.namespace}/${selection.name}`);
  }
  if (selection?.kind === "node") next.set("node", selection.name);
  if (selection?.kind === "pool") next.set("pool", selection.id);
  return `?${next.toString().replaceAll("%2F", "/")}`;
}

/** The selection that shows an entry of the stuck list. */
export function selectionOf({ kind, namespace, name }: StuckView): Selection {
  return kind === "Pod" ? { kind: "pod", namespace, name } : { kind: "stuck", of: kind, namespace, name };
}

/** Whether the drawer of `selection` shows this entry, or one of the pods that it stands for. */
export function shows(selection: Selection, entry: StuckView): boolean {
  if (selection.kind !== "pod" && selection.kind !== "stuck") return false;
  const kind = selection.kind === "pod" ? "Pod" : selection.of;
  return [entry, ...entry.members].some(
    (one) => one.kind === kind && one.namespace === selection.namespace && one.name === selection.name,
  );
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
