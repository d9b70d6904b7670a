import { execFile } from "node:child_process";

export interface ToolOptions {
  /** Standard input; none where left out. */
  readonly input?: string | undefined;
  /** Called with each piece of standard error as it comes. */
  readonly onProgress?: (text: string) => void;
}

/** An audit log or a list of pods is larger than Node's default of 1 MiB. */
const MAX_OUTPUT = 256 * 2 ** 20;

/**
 * Runs a program and resolves with its standard output.
 *
 * @throws Error with the command and what it says on standard error; `code` is its exit code, or ENOENT where there is no such program.
 */
export function runTool(file: string, args: readonly string[], options: ToolOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, { maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else
        reject(
          Object.assign(new Error(`${file} ${args.join(" ")}: ${stderr.trim() || error.message}`), {
            code: error.code,
          }),
        );
    });
    child.stderr?.on("data", (chunk) => options.onProgress?.(String(chunk)));
    // A program that ends without reading its input is told by its exit code.
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input ?? "");
  });
}
