import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";

/** A process whose cost is being watched through Linux' /proc. */
export interface MeasuredProcess {
  /** `performance.now()` at which it was started. */
  readonly started: number;
  /** Resolves with the first line of its standard output that matches. Throws where it ends before. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its exit code; throws with what it said where that is not 0. */
  succeeded(): Promise<void>;
  /** Bytes: the most that was resident at a time. https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
  peakRss(): number;
  /** Seconds on a core so far, its own and the kernel's for it. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
  cpuSeconds(): number;
  /** Ends it as a service manager does. */
  stop(): Promise<void>;
}

export interface MeasuredOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** A file that takes its standard output. */
  readonly output?: string;
}

/** Milliseconds between two looks at what is resident. The kernel keeps the peak: only what grows after the last look is missed. */
const LOOK = 20;
/** Clock ticks a second on every Linux that Node runs on. */
const TICKS = 100;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

export async function startMeasured(options: MeasuredOptions): Promise<MeasuredProcess> {
  const { program, args, env, cwd, output } = options;
  const file: FileHandle | undefined = output === undefined ? undefined : await open(output, "w");
  const started = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", file?.fd ?? "pipe", "pipe"] });
  running.add(child);
  const { pid } = child;
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  let peak = 0;
  const look = () => {
    const status = pid === undefined ? "" : readProc(pid, "status");
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024);
  };
  const timer = setInterval(look, LOOK);
  const gone = once(child, "close").finally(async () => {
    clearInterval(timer);
    running.delete(child);
    await file?.close();
  });
  gone.catch(() => undefined);
  return {
    started,
    line: (pattern) => matchingLine(child, pattern, () => errors),
    succeeded: async () => {
      await gone;
      if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode}:\n${errors}`);
    },
    peakRss: () => {
      look();
      return peak;
    },
    cpuSeconds: () => {
      // The fields after the name, which may hold blanks: utime and stime are the 14th and 15th of all.
      const stat = pid === undefined ? "" : readProc(pid, "stat");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS;
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await gone;
    },
  };
}

/** Empty once the process is gone. */
function readProc(pid: number, name: "status" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

async function matchingLine(
  child: ChildProcess,
  pattern: RegExp,
  errors: () => string,
): Promise<RegExpExecArray> {
  if (!child.stdout) throw new Error("its output goes to a file");
  for await (const line of createInterface({ input: child.stdout })) {
    const match = pattern.exec(line);
    if (!match) continue;
    child.stdout.resume();
    return match;
  }
  throw new Error(`${child.spawnfile} ended before it said ${pattern}:\n${errors()}`);
}
