import type { ContainerRecord, Termination } from "../model/kubernetes.ts";

/** The state of a container on one line: `CrashLoopBackOff, 9 restarts, last exit 1 (Error)`. */
export function containerState(container: ContainerRecord): string {
  const { state, restarts, lastTermination } = container;
  const parts: string[] = [];
  if (state.kind === "waiting") parts.push(state.reason || "waiting");
  else if (state.kind === "terminated") parts.push(exitInWords(state));
  else parts.push(state.kind === "running" ? "running" : "not started");
  if (restarts > 0) parts.push(`${restarts} restart${restarts === 1 ? "" : "s"}`);
  if (lastTermination) parts.push(`last ${exitInWords(lastTermination)}`);
  const message = (state.kind === "waiting" || state.kind === "terminated" ? state.message : "") || "";
  const last = lastTermination?.message || message;
  return last === "" ? parts.join(", ") : `${parts.join(", ")}: ${last}`;
}

/** `exit 137 (OOMKilled)`. */
export function exitInWords({ exitCode, reason }: Termination): string {
  return reason === "" ? `exit ${exitCode}` : `exit ${exitCode} (${reason})`;
}
