"use client";

import type { MouseEvent, ReactNode } from "react";
import { type Selection, useSelection } from "@/lib/client/selection.ts";

/** A link that opens the drawer for `to` in place; with a modifier key or the middle button it is any link. */
export function SelectionLink({
  to,
  className = "",
  title,
  children,
}: {
  to: Selection;
  className?: string;
  title?: string;
  children: ReactNode;
}) {
  const { href, select } = useSelection();
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    select(to);
  };
  return (
    <a
      href={href(to)}
      onClick={open}
      title={title}
      className={`underline-offset-2 hover:underline ${className}`}
    >
      {children}
    </a>
  );
}
