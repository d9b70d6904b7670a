import type { SourceView } from "../../lib/model/fleet-view.ts";

const REQUIRED = ["kubernetes/nodes", "kubernetes/pods", "kubernetes/events"];

/** Whether it is one of those that every cluster has; the others come and go with what runs in it. */
export function isRequired({ id }: Pick<SourceView, "id">): boolean {
  return REQUIRED.includes(id);
}
