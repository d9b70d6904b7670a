import { join } from "node:path";
import { z } from "zod";
import type { ToolSet } from "./binaries.ts";
import { RigError } from "./rig.ts";
import { runTool } from "./run-tool.ts";

/** https://go.dev/ref/mod#go-mod-download */
const downloaded = z.object({ Dir: z.string() });

/**
 * Folder with the files of a module in the version that a set pins, loaded where Go does not have it yet.
 *
 * @throws RigError without Go.
 */
export async function moduleFolder(set: ToolSet, module: string): Promise<string> {
  const source = join(import.meta.dirname, "tools", set);
  const args = ["-C", source, "mod", "download", "-json", module];
  const told = await runTool("go", args).catch((cause: unknown) => {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
    throw new RigError(
      `Files of ${module} are read from its Go module, and there is no \`go\` on the PATH.`,
      {
        cause,
      },
    );
  });
  return downloaded.parse(JSON.parse(told)).Dir;
}
