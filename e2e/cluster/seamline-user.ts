import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { KubernetesObject } from "../../lib/testing/api-server/kubernetes-object.ts";
import type { Api } from "./api.ts";

const clusterRole = join(import.meta.dirname, "../../deploy/cluster-role.yaml");
const NAME = "seamline";

/** How long its token is good for, in seconds. */
const TOKEN_LIFETIME = 6 * 3_600;

/** Makes the service account that Seamline runs under and binds it to the role that users are given, and to nothing else. */
export async function createSeamlineUser(api: Api): Promise<void> {
  const role: KubernetesObject = parse(await readFile(clusterRole, "utf8"));
  await api.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAME } });
  await api.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: NAME, namespace: NAME } });
  await api.apply(role);
  await api.apply({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: NAME },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role.metadata.name },
    subjects: [{ kind: "ServiceAccount", name: NAME, namespace: NAME }],
  });
}

/** A new token of that service account. */
export async function seamlineToken(api: Api): Promise<string> {
  const path = `/api/v1/namespaces/${NAME}/serviceaccounts/${NAME}/token`;
  const body = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: TOKEN_LIFETIME },
  };
  // https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/
  const { status } = await api.send<{ status: { token: string } }>("POST", path, body);
  return status.token;
}

/** What a kubeconfig of one context says. */
export interface KubeconfigOptions {
  /** Name of the cluster and of the context. */
  readonly name: string;
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  /** Fields of its user: `{token}`, `{tokenFile}`, ... */
  readonly user: Readonly<Record<string, unknown>>;
}

/** Writes a kubeconfig that only its owner may read. */
export async function writeKubeconfig(file: string, options: KubeconfigOptions): Promise<void> {
  const { name, server, authority, user } = options;
  const data = Buffer.from(authority).toString("base64");
  const document = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server, "certificate-authority-data": data } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
  await writeFile(file, stringify(document), { mode: 0o600 });
}
