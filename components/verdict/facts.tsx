import type { ReactNode } from "react";

/** Names with values, one a line; those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[116px_minmax(0,1fr)] gap-x-3 text-sm">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid border-t border-line-soft py-1.5">
            <dt className="text-ink-2">{name}</dt>
            <dd className="break-words tabular-nums">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
