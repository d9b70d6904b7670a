import { join } from "node:path";
import { stringify } from "yaml";
import type { NodeOptions } from "../rig.ts";

/** The API server's audit log, as a path within the control plane's container. */
export const AUDIT_LOG = "/var/log/kubernetes/audit.log";

const policy = join(import.meta.dirname, "../audit-policy.yaml");
const POLICY_FOLDER = "/etc/kubernetes/audit";
const POLICY = `${POLICY_FOLDER}/policy.yaml`;

/**
 * The configuration file for `kind create cluster`, with an API server that keeps an audit log. Node names are kind's
 * own. https://kind.sigs.k8s.io/docs/user/configuration/ and https://kind.sigs.k8s.io/docs/user/auditing/
 */
export function kindConfig(nodes: readonly NodeOptions[]): string {
  return stringify({
    kind: "Cluster",
    apiVersion: "kind.x-k8s.io/v1alpha4",
    nodes: nodes.map(({ role, labels }) => {
      if (role === "worker") return { role, labels };
      return {
        role,
        labels,
        extraMounts: [{ hostPath: policy, containerPath: POLICY, readOnly: true }],
        kubeadmConfigPatches: [stringify(auditing)],
      };
    }),
  });
}

/** Without an apiVersion kind fits it to the version of kubeadm's configuration that it writes. */
const auditing = {
  kind: "ClusterConfiguration",
  apiServer: {
    extraArgs: { "audit-log-path": AUDIT_LOG, "audit-policy-file": POLICY },
    extraVolumes: [
      {
        name: "audit-policy",
        hostPath: POLICY_FOLDER,
        mountPath: POLICY_FOLDER,
        readOnly: true,
        pathType: "Directory",
      },
      {
        name: "audit-log",
        hostPath: "/var/log/kubernetes",
        mountPath: "/var/log/kubernetes",
        readOnly: false,
        pathType: "DirectoryOrCreate",
      },
    ],
  },
};
