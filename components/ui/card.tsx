import type { ReactNode } from "react";

/** A titled section of the page. `id` makes it a place that can be linked to. */
export function Card({
  id,
  title,
  note,
  actions,
  className = "",
  children,
}: {
  id: string;
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`min-w-0 rounded-lg border border-line bg-panel ${className}`}
    >
      <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 px-4 pt-[11px] pb-[9px]">
        <h2 id={`${id}-title`} className="text-base font-[620]">
          {title}
        </h2>
        {note !== undefined && <p className="text-xs text-ink-2">{note}</p>}
        {actions !== undefined && (
          <div className="ml-auto flex items-center gap-2 self-center">{actions}</div>
        )}
      </div>
      {children}
    </section>
  );
}
