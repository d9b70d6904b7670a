import type { ReactNode } from "react";
import type { Detail } from "./use-detail.ts";

/** Draws what is known of one object, or says why nothing is. `name`: the object in words, `pod ml/x`. */
export function DetailStates<T>({
  detail,
  name,
  children,
}: {
  detail: Detail<T>;
  name: string;
  children: (detail: T) => ReactNode;
}) {
  switch (detail.state) {
    case "loading":
      return <p className="mt-3 text-ink-2">Reading {name} …</p>;
    case "gone":
      return <Gone name={name} />;
    case "failed":
      return (
        <p role="status" className="mt-3 break-words text-warn">
          {name} could not be read: {detail.problem}
        </p>
      );
    case "ready":
      return (
        <>
          {detail.problem !== undefined && (
            <p role="status" className="mt-3 break-words text-warn">
              What follows may be old: {detail.problem}
            </p>
          )}
          {children(detail.detail)}
        </>
      );
    default:
      return detail satisfies never;
  }
}

/** Says that the object in the address is not there (any more). */
export function Gone({ name }: { name: string }) {
  return (
    <p role="status" className="mt-3 break-words text-ink-2">
      {name} is not there any more.
    </p>
  );
}
