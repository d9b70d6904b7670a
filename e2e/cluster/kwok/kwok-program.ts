import { binaries } from "../binaries.ts";
import { RigError } from "../rig.ts";

/**
 * Path of KWOK, built where the cache does not have it yet.
 *
 * @throws RigError without Go, or where the build fails.
 */
export async function kwokProgram(progress: (line: string) => void): Promise<string> {
  try {
    return (await binaries("kwok", progress)).kwok;
  } catch (error) {
    if (!(error instanceof RigError)) throw error;
    throw new RigError(`Nodes without a machine are played by KWOK. ${error.message}`, { cause: error });
  }
}
