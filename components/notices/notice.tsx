import type { ReactNode } from "react";

/** A box at the head of the page that says how things stand. `alert`: something is wrong. */
export function Notice({
  title,
  alert = false,
  children,
}: {
  title: string;
  alert?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      role={alert ? "alert" : "status"}
      className={`mb-3.5 grid gap-1.5 rounded-lg border px-5 py-4 ${alert ? "border-warn bg-warn-soft" : "border-line bg-panel"}`}
    >
      <h2 className="text-[17px] font-[620]">{title}</h2>
      {children}
    </section>
  );
}
