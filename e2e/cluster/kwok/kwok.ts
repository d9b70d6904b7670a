import { join } from "node:path";

/** The annotation that makes KWOK play a node's kubelet. */
export const PLAYED = { "kwok.x-k8s.io/node": "fake" };

/** The annotation by which its Stages, the YAML files beside this one, know what they are to leave as it was written. */
export const KUBELET = "seamline.dev/kubelet";

const STAGES = ["node.yaml", "pod.yaml"].map((name) => join(import.meta.dirname, name));

export interface KwokOptions {
  /** Path of a kubeconfig with all rights. */
  readonly kubeconfig: string;
  /** Where it serves `/healthz`, on 127.0.0.1. */
  readonly port: number;
  /** For how long a node's lease is good, in seconds. */
  readonly lease: number;
}

/** How KWOK is started: it plays the kubelets of the nodes with the annotation, and touches no other. https://kwok.sigs.k8s.io */
export function kwokFlags({ kubeconfig, port, lease }: KwokOptions): readonly string[] {
  const [annotation] = Object.entries(PLAYED).map(([key, value]) => `${key}=${value}`);
  return [
    `--kubeconfig=${kubeconfig}`,
    `--server-address=127.0.0.1:${port}`,
    `--manage-nodes-with-annotation-selector=${annotation}`,
    `--node-lease-duration-seconds=${lease}`,
    // Else it tells of every heartbeat.
    "--v=WARN",
    ...STAGES.map((file) => `--config=${file}`),
  ];
}
