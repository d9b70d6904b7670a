import type { ContainerRecord, Termination } from "../../model/kubernetes.ts";

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
export function exitInWords({ exitCode, reason }: Pick<Termination, "exitCode" | "reason">): string {
  return reason === "" ? `exit ${exitCode}` : `exit ${exitCode} (${reason})`;
}

/** What shells and signals mean by an exit code; https://tldp.org/LDP/abs/html/exitcodes.html */
const MEANINGS: Readonly<Record<number, string>> = {
  2: "wrong use of a command",
  126: "the command cannot be executed",
  127: "the command is not found",
  134: "aborted, SIGABRT",
  135: "bus error, SIGBUS",
  136: "arithmetic error, SIGFPE",
  137: "killed, SIGKILL",
  139: "segmentation fault, SIGSEGV",
  143: "asked to end, SIGTERM",
};

/** `exit 139 (segmentation fault, SIGSEGV)`: the kubelet's reason where it says more than the code. */
export function exitMeaning({ exitCode, reason }: Pick<Termination, "exitCode" | "reason">): string {
  const said = /^(Error|)$/.test(reason) ? MEANINGS[exitCode] : undefined;
  return said ? `exit ${exitCode} (${said})` : exitInWords({ exitCode, reason });
}
