import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";
import { openApi } from "../api.ts";
import type { Cluster } from "../rig.ts";

/** The definitions of `folders`, as their module has them. */
export async function readCrds(folders: readonly string[]): Promise<readonly KubernetesObject[]> {
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  );
  return await Promise.all(files.flat().map(async (file) => parse(await readFile(file, "utf8"))));
}

/** Applies definitions and waits until each of their kinds is served. */
export async function applyCrds(cluster: Cluster, crds: readonly KubernetesObject[]): Promise<void> {
  const api = await openApi(cluster.kubeconfig);
  try {
    await Promise.all(crds.map((crd) => api.apply(crd)));
  } finally {
    api.close();
  }
  const names = crds.map(({ metadata }) => `crd/${metadata.name}`);
  await cluster.kubectl(["wait", "--for=condition=Established", "--timeout=60s", ...names]);
}
