import type { SourceView } from "../model/fleet-view.ts";
import type { Readiness } from "./live-state.ts";

/** Without these there is no picture. */
const NEEDED = ["kubernetes/nodes", "kubernetes/pods"];

/**
 * Whether the page has something to say: nodes and pods came once, or it is settled that they do not come (forbidden).
 * A cluster that does not answer is not ready, but the process lives.
 */
export function readinessOf(sources: readonly SourceView[]): Readiness {
  const missing = sources.filter(
    ({ id, state }) => NEEDED.includes(id) && (state === "loading" || state === "unreachable"),
  );
  if (missing.length === 0) return { ready: true, why: "" };
  const why = missing.map(({ id, state, error }) =>
    [`${id} is ${state}`, error?.message].filter(Boolean).join(": "),
  );
  return { ready: false, why: why.join("; ") };
}
