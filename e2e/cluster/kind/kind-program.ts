import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { binaries } from "../binaries.ts";

/**
 * Path of the `kind` on the PATH, else of one that is built from its Go module.
 *
 * @throws RigError where there is neither kind nor Go.
 */
export async function kindProgram(progress: (line: string) => void): Promise<string> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const folder of folders) {
    const file = join(folder, "kind");
    if (await isExecutable(file)) return file;
  }
  return (await binaries("kind", progress)).kind;
}

async function isExecutable(file: string): Promise<boolean> {
  return await access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
