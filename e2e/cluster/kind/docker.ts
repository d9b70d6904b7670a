import { RigError } from "../rig.ts";
import { runTool } from "../run-tool.ts";

const WITHOUT = "The rig without Docker: npm run test:cluster -- --rig processes";

/** @throws RigError where there is no Docker or it does not answer. */
export async function requireDocker(): Promise<void> {
  try {
    await docker("version", "--format", "{{.Server.Version}}");
  } catch (error) {
    if (isMissing(error)) {
      throw new RigError(
        `kind needs Docker, and there is no \`docker\` on the PATH. Install it: https://docs.docker.com/engine/install/\n${WITHOUT}`,
      );
    }
    throw new RigError(
      `kind needs Docker, and Docker does not answer: ${messageOf(error)}\n` +
        `Start it (\`sudo systemctl start docker\`, or Docker Desktop), and see that this user may use it: \`docker version\` has to name a server.\n${WITHOUT}`,
    );
  }
}

/** @throws RigError where the image is not on this machine and cannot be pulled either. */
export async function requireImage(image: string, progress: (line: string) => void): Promise<void> {
  const there = await docker("image", "inspect", "--format", "{{.Id}}", image).then(
    () => true,
    () => false,
  );
  if (there) return;
  progress(`pulling ${image}`);
  try {
    await docker("pull", "--quiet", image);
  } catch (error) {
    throw missingImage(image, messageOf(error));
  }
}

/** What to do about a node image that is not there. */
export function missingImage(image: string, why: string): RigError {
  return new RigError(
    `kind's node image ${image} is not on this machine and cannot be pulled: ${why}\n` +
      "Name one that is there or can be pulled: SEAMLINE_KIND_NODE_IMAGE=kindest/node:v1.36.3 (unset: the default of this version of kind). " +
      `\`docker images\` lists those that are there; where no registry can be reached, \`docker load\` or \`kind build node-image\` make one.\n${WITHOUT}`,
  );
}

/** Runs the Docker CLI and resolves with what it prints. */
export function docker(...args: readonly string[]): Promise<string> {
  return runTool("docker", args);
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
