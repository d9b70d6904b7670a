import type { Metadata } from "next";
import { CapacityPage } from "@/components/capacity/capacity-page.tsx";
import { liveState } from "@/lib/server/live-state.ts";

/** The page shows the moment it is asked for. */
export const dynamic = "force-dynamic";

export const metadata: Metadata = { title: "Capacity · Seamline" };

/** What is paid for, drawn on the server from the newest view; the browser goes on from there. */
export default function Page() {
  const state = liveState();
  return <CapacityPage initial={{ view: state.view(), trend: state.trend(), demo: state.demo() }} />;
}
