import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { binaries } from "../binaries.ts";
import type { Cluster } from "../rig.ts";
import { runTool } from "../run-tool.ts";
import { docker } from "./docker.ts";
import { kindProgram } from "./kind-program.ts";

/** The program in the image. */
export const DEVICE_PLUGIN = "/sample-device-plugin";

/**
 * Brings Kubernetes' own sample device plugin onto the nodes of a kind cluster: an image with that program and nothing
 * else, which Docker has only meanwhile.
 * https://github.com/kubernetes/kubernetes/tree/v1.36.3/test/images/sample-device-plugin
 *
 * @returns the image's name
 * @throws RigError where it cannot be built.
 */
export async function loadDevicePlugin(cluster: Cluster): Promise<string> {
  const progress = (line: string) => console.error(`kind ${cluster.name}: ${line}`);
  const kind = await kindProgram(progress);
  const program = (await binaries("device-plugin", progress))["sample-device-plugin"];
  // Clusters' names are unique, so two runs do not take each other's image away.
  const image = `localhost${DEVICE_PLUGIN}:${cluster.name}`;
  const folder = await mkdtemp(join(tmpdir(), "seamline-image-"));
  try {
    const archive = join(folder, "image.tar");
    await runTool("tar", ["-C", dirname(program), "-cf", archive, basename(program)]);
    await docker("import", archive, image);
    await runTool(kind, ["load", "docker-image", image, "--name", cluster.name]);
  } finally {
    await docker("image", "rm", "--force", image);
    await rm(folder, { recursive: true, force: true });
  }
  return image;
}
