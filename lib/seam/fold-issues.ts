import type { IssueView } from "../model/fleet-view.ts";
import type { Issue } from "../model/snapshot.ts";

const SEVERITY = ["error", "warning", "info"] as const;

/** Issues of one code and source as one entry with a count, the gravest first; the first object stands for all. */
export function foldIssues(issues: readonly Issue[]): IssueView[] {
  const folded = new Map<string, IssueView>();
  for (const issue of issues) {
    const key = `${issue.code}|${issue.source ?? ""}`;
    const seen = folded.get(key);
    folded.set(
      key,
      seen
        ? { ...seen, count: seen.count + 1 }
        : {
            code: issue.code,
            severity: issue.severity,
            message: issue.message,
            object: issue.object ?? null,
            source: issue.source ?? null,
            count: 1,
          },
    );
  }
  return [...folded.values()].sort(
    (a, b) =>
      SEVERITY.indexOf(a.severity) - SEVERITY.indexOf(b.severity) ||
      b.count - a.count ||
      (a.code < b.code ? -1 : 1),
  );
}
