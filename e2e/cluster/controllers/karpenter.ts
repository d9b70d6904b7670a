import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaries } from "../binaries.ts";
import { moduleFolder } from "../module-folder.ts";
import { freePorts } from "../processes/free-ports.ts";
import type { ProcessesCluster } from "../processes.ts";
import { applyCrds, readCrds } from "./crds.ts";

/** A machine that Karpenter's KWOK provider can make. */
export interface MachineType {
  readonly name: string;
  readonly resources: Readonly<Record<string, string>>;
  /** Where it can be had, and as what: `on-demand` or `spot`. */
  readonly offerings: readonly { readonly zone: string; readonly capacityType: string }[];
}

/** Starts the real Karpenter; its machines are nodes that KWOK plays. Resolves once its kinds are served. */
export async function startKarpenter(
  cluster: ProcessesCluster,
  types: readonly MachineType[],
): Promise<void> {
  const { karpenter } = await binaries("karpenter", () => {});
  const module = await moduleFolder("karpenter", "sigs.k8s.io/karpenter");
  await applyCrds(
    cluster,
    await readCrds(["pkg/apis/crds", "kwok/apis/crds"].map((path) => join(module, path))),
  );
  const file = join(cluster.folder, "instance-types.json");
  await writeFile(file, JSON.stringify(types.map(instanceType)));
  const [metrics, health] = await freePorts(2);
  cluster
    .add({
      name: "karpenter",
      program: karpenter,
      flags: [
        `--instance-types-file-path=${file}`,
        `--metrics-port=${metrics}`,
        `--health-probe-port=${health}`,
        "--batch-idle-duration=1s",
      ],
      env: {
        KUBECONFIG: cluster.kubeconfig,
        SYSTEM_NAMESPACE: "kube-system",
        KUBERNETES_MIN_VERSION: "1.19.0-0",
        DISABLE_LEADER_ELECTION: "true",
      },
    })
    .start();
}

/** As the provider reads it: https://github.com/kubernetes-sigs/karpenter/tree/main/kwok */
function instanceType({ name, resources, offerings }: MachineType) {
  const requirement = (key: string, value: string) => ({ key, operator: "In", values: [value] });
  return {
    name,
    architecture: "amd64",
    operatingSystems: ["linux"],
    resources,
    offerings: offerings.map(({ zone, capacityType }) => ({
      Price: 1,
      Available: true,
      Requirements: [
        requirement("karpenter.sh/capacity-type", capacityType),
        requirement("topology.kubernetes.io/zone", zone),
      ],
    })),
  };
}
