import { Dashboard } from "@/components/dashboard.tsx";
import { liveState } from "@/lib/server/live-state.ts";

/** The page shows the moment it is asked for. */
export const dynamic = "force-dynamic";

/** The overview, drawn on the server from the newest view; the browser goes on from there. */
export default function Page() {
  const state = liveState();
  return <Dashboard initial={{ view: state.view(), trend: state.trend(), demo: state.demo() }} />;
}
