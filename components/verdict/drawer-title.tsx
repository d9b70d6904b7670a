import type { ReactNode } from "react";

/** What the drawer shows, in a few words. */
export function DrawerTitle({ children }: { children: ReactNode }) {
  return <h2 className="mt-2 text-[19px] leading-snug font-[640] tracking-tight break-words">{children}</h2>;
}
