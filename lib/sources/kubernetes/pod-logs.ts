import { SourceError } from "../source-error.ts";
import type { Clock } from "./clock.ts";
import type { Connection } from "./connection.ts";
import { redact } from "./redact.ts";
import { createSilenceLimit } from "./silence.ts";

/** A container of a pod. */
export interface LoggedContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Whether it has run before: only then there is a log of its previous run. */
  readonly restarted: boolean;
}

/** The last lines that a container has printed, without secrets; undefined where there is no such log. */
export interface ContainerLogs {
  readonly current: string | undefined;
  readonly previous: string | undefined;
}

/** Lines that are asked for; fewer where these are longer than what is taken of a log, since its end is what tells. */
const TAIL_LINES = [200, 20];
/** Most bytes that are taken of a log. */
const LIMIT_BYTES = 256 * 1_024;

/**
 * Reads what a container has printed last, in its current run and, where it was restarted, in the one before.
 * Needs `get` on `pods/log`.
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#get-read-log-of-the-specified-pod
 * @throws SourceError `absent` without such a pod, `forbidden` without the right, else as every request
 */
export async function readContainerLogs(
  connection: Connection,
  container: LoggedContainer,
  clock: Clock,
): Promise<ContainerLogs> {
  const [current, previous] = await Promise.all([
    readLog(connection, container, false, clock),
    container.restarted ? readLog(connection, container, true, clock) : undefined,
  ]);
  return { current, previous };
}

/** undefined where there is no such log: not started yet, or its previous run is forgotten. */
async function readLog(
  connection: Connection,
  { namespace, pod, container }: LoggedContainer,
  previous: boolean,
  clock: Clock,
): Promise<string | undefined> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`;
  let bytes = Buffer.alloc(0);
  for (const tailLines of TAIL_LINES) {
    const query = new URLSearchParams({
      container,
      tailLines: String(tailLines),
      limitBytes: String(LIMIT_BYTES),
      ...(previous ? { previous: "true" } : {}),
    });
    try {
      bytes = await readBytes(connection, `${path}?${query}`, clock);
    } catch (error) {
      if (error instanceof SourceError && error.code === "invalid") return undefined;
      throw error;
    }
    if (bytes.length < LIMIT_BYTES) break;
  }
  return redact(bytes.toString("utf8"));
}

async function readBytes(connection: Connection, path: string, clock: Clock): Promise<Buffer<ArrayBuffer>> {
  const limit = createSilenceLimit(clock, connection.server);
  try {
    // Text is all that there is, but who asks for nothing else is refused.
    const accept = "application/json, */*";
    const { body } = await connection.open(path, { accept, signal: limit.signal, text: true });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      limit.heard();
      chunks.push(chunk);
      size += chunk.length;
      if (size >= LIMIT_BYTES) break;
    }
    return Buffer.concat(chunks).subarray(0, LIMIT_BYTES);
  } finally {
    limit.end();
  }
}
