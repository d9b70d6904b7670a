"use client";

import { useState } from "react";
import { Card } from "@/components/ui/card.tsx";
import { formatCount } from "@/components/ui/format.ts";
import { ObjectLink } from "@/components/verdict/object-link.tsx";
import { ShowMore } from "@/components/verdict/show-more.tsx";
import type { FleetView, IssueView } from "@/lib/model/fleet-view.ts";

const FIRST = 5;

const SEVERITY: Readonly<Record<IssueView["severity"], string>> = {
  error: "text-warn font-[600]",
  warning: "text-warn",
  info: "text-ink-2",
};

/** What was read and is odd: said, not dropped. Nothing where there is none. */
export function IssuesCard({ view }: { view: FleetView }) {
  const { issues } = view;
  const [all, setAll] = useState(false);
  if (issues.length === 0) return null;
  const shown = all ? issues : issues.slice(0, FIRST);
  return (
    <Card
      id="issues"
      title="Read, but odd"
      note={`${formatCount(issues.length)} ${issues.length === 1 ? "kind" : "kinds"}`}
    >
      <ul>
        {shown.map((issue) => (
          <Issue key={keyOf(issue)} issue={issue} />
        ))}
      </ul>
      {shown.length < issues.length && (
        <div className="border-t border-line-soft px-4 py-1">
          <ShowMore shown={shown.length} total={issues.length} what="kinds" onMore={() => setAll(true)} />
        </div>
      )}
    </Card>
  );
}

function Issue({ issue }: { issue: IssueView }) {
  const { severity, code, message, object, source, count } = issue;
  return (
    <li className="grid grid-cols-[64px_minmax(0,1fr)] gap-x-3 border-t border-line-soft px-4 py-2 text-xs">
      <span className={SEVERITY[severity]}>{severity}</span>
      <div className="min-w-0">
        <p className="break-words">{message}</p>
        <p className="break-words text-ink-3 tabular-nums">
          {code}
          {object && (
            <>
              {" · "}
              <ObjectLink object={object} withKind />
              {count > 1 && ` + ${formatCount(count - 1)} more`}
            </>
          )}
          {!object && count > 1 && ` · ${formatCount(count)} times`}
          {source !== null && ` · ${source}`}
        </p>
      </div>
    </li>
  );
}

function keyOf({ code, source, message, object }: IssueView): string {
  return [code, source, message, object?.kind, object?.namespace, object?.name].join("|");
}
