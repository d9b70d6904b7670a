import Link from "next/link";
import type { ReactNode } from "react";
import { formatCount } from "@/components/ui/format.ts";
import type { FleetView } from "@/lib/model/fleet-view.ts";

/** The pages that the header leads to. */
export type PageName = "overview" | "capacity";

/** From page to page, and to what is stuck. */
export function PageNav({
  current,
  view: { pools, stuck, counts },
}: {
  current: PageName;
  view: Pick<FleetView, "pools" | "stuck" | "counts">;
}) {
  return (
    <nav aria-label="Pages" className="flex gap-1">
      <NavLink href="/" isCurrent={current === "overview"}>
        Overview
      </NavLink>
      <NavLink href="/capacity" isCurrent={current === "capacity"}>
        Capacity
      </NavLink>
      {pools.length > 0 && (
        <NavLink href={current === "overview" ? "#stuck" : "/#stuck"} className="max-md:hidden">
          Stuck{" "}
          <b className={stuck.length > 0 ? "font-semibold text-l2" : "font-normal"}>
            {counts.pods === null ? "?" : formatCount(stuck.length)}
          </b>
        </NavLink>
      )}
    </nav>
  );
}

function NavLink({
  href,
  isCurrent = false,
  className = "",
  children,
}: {
  href: string;
  isCurrent?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Link
      href={href}
      // A page fetched ahead of time is a page out of date.
      prefetch={false}
      aria-current={isCurrent ? "page" : undefined}
      className={`rounded-md px-2.5 py-1 whitespace-nowrap tabular-nums max-md:px-2 ${isCurrent ? "bg-field font-[550]" : "text-ink-2 hover:bg-field hover:text-ink"} ${className}`}
    >
      {children}
    </Link>
  );
}
