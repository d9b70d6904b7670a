import { open } from "node:fs/promises";
import { basename } from "node:path";
import { redact } from "../kubernetes/redact.ts";

/** What containers have printed, without secrets, by `NAMESPACE/POD/CONTAINER`. */
export type LogTexts = Readonly<Record<string, string>>;

/** Most bytes that are taken of a log, from its end, which is what tells. */
const LIMIT_BYTES = 256 * 1_024;

/** The end of each `NAMESPACE_POD_CONTAINER.log` that can be read; files of other names are passed over. */
export async function loadLogs(files: readonly string[]): Promise<LogTexts> {
  const logs = await Promise.all(
    files.map(async (file): Promise<[string, string][]> => {
      // None of the three may have a `_` in its name.
      const [namespace, pod, container, ...rest] = basename(file, ".log").split("_");
      if (!namespace || !pod || !container || rest.length > 0) return [];
      const text = await readEnd(file).catch(() => undefined);
      return text === undefined ? [] : [[`${namespace}/${pod}/${container}`, redact(text)]];
    }),
  );
  return Object.fromEntries(logs.flat());
}

/** What a container has printed, as verdicts ask for it; undefined where there is no such log. */
export function lookUpLog(logs: LogTexts) {
  return (namespace: string, pod: string, container: string): string | undefined =>
    logs[`${namespace}/${pod}/${container}`];
}

async function readEnd(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - LIMIT_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const text = buffer.subarray(0, bytesRead).toString("utf8");
    // The first line of a cut log is half a line.
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    await handle.close();
  }
}
