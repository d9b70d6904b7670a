import type { ReactNode } from "react";

/** A titled part of the drawer. */
export function Section({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-5">
      <h3 className="mb-2 text-base font-[620]">
        {title}
        {note !== undefined && <span className="ml-1.5 text-xs font-normal text-ink-2">{note}</span>}
      </h3>
      {children}
    </section>
  );
}
