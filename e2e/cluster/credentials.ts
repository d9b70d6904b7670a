import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TestInfo } from "@playwright/test";
import { type Api, openApi } from "./api.ts";
import { openCluster, test } from "./cluster-test.ts";
import { type Authority, createAuthority } from "./credentials-authority.ts";
import { advertiseGpu, LAYERS } from "./layers-cluster.ts";
import { type ProcessesCluster, processesRig } from "./processes.ts";
import { writeKubeconfig } from "./seamline-user.ts";

/** A cluster that all tests of a spec sign in to, each in its way. */
export interface SignIn {
  readonly cluster: ProcessesCluster;
  /** With all rights. */
  readonly api: Api;
  /** The API server's certificate, PEM. */
  readonly certificate: string;
  /** Whose client certificates the API server accepts. */
  readonly clients: Authority;
  /** Another one, which it knows nothing of. */
  readonly strangers: Authority;
  /** An empty folder of a test's own. */
  folder(): Promise<string>;
  /** Writes a kubeconfig to `folder` and gives its path. */
  kubeconfig(folder: string, options: KubeconfigParts): Promise<string>;
  close(testInfo: TestInfo): Promise<void>;
}

export interface KubeconfigParts {
  /** Fields of its user: `{token}`, `{tokenFile}`, ... */
  readonly user: Readonly<Record<string, unknown>>;
  /** The cluster's own, if not given. */
  readonly server?: string;
  /** PEM; the API server's, if not given. */
  readonly authority?: string;
}

/** Opens the cluster of a spec before its tests, gives it to `use`, and takes it down after them. */
export function signInForAll(use: (signIn: SignIn) => void): void {
  let opened: SignIn | undefined;
  test.beforeAll(async ({ rig: _ }, testInfo) => {
    testInfo.setTimeout(240_000);
    opened = await openSignIn();
    use(opened);
  });
  test.afterAll(async ({ rig: _ }, testInfo) => {
    await opened?.close(testInfo);
  });
}

/** A cluster with a reserved worker that has a GPU and one that has none, and an API server that reads client certificates. */
async function openSignIn(): Promise<SignIn> {
  const open = await openCluster(processesRig, "layers", LAYERS);
  const { cluster } = open;
  await advertiseGpu("processes", cluster, "layers-worker");
  const base = dirname(cluster.kubeconfig);
  const [clients, strangers] = await Promise.all([
    createAuthority(base, "clients"),
    createAuthority(base, "strangers"),
  ]);
  const { apiServer } = cluster.programs;
  await apiServer.kill();
  apiServer.start([`--client-ca-file=${clients.certificate}`]);
  await cluster.ready();
  const api = await openApi(cluster.kubeconfig);
  const certificate = await readFile(join(base, "certificates", "apiserver.crt"), "utf8");
  return {
    cluster,
    api,
    certificate,
    clients,
    strangers,
    folder: async () => {
      await mkdir(join(base, "tests"), { recursive: true });
      return await mkdtemp(join(base, "tests", "test-"));
    },
    kubeconfig: async (folder, { user, server = cluster.server, authority = certificate }) => {
      const file = join(folder, "kubeconfig");
      await writeKubeconfig(file, { name: "layers", server, authority, user });
      return file;
    },
    close: async (testInfo) => {
      api.close();
      await open.close(testInfo);
    },
  };
}

/** The namespace of the tests' service accounts. */
const NAMESPACE = "seamline";
const core = `/api/v1/namespaces/${NAMESPACE}`;

/** Lets a user, or a service account of the tests, read as the dashboard's users are told to, or only what `resources` says. */
export async function allow(api: Api, user: string, resources?: readonly string[]): Promise<void> {
  const apiGroup = "rbac.authorization.k8s.io";
  const role = resources === undefined ? "seamline" : `${user}-only`;
  if (resources !== undefined)
    await api.apply({
      apiVersion: `${apiGroup}/v1`,
      kind: "ClusterRole",
      metadata: { name: role },
      rules: [{ apiGroups: [""], resources, verbs: ["get", "list", "watch"] }],
    });
  await api.apply({
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: user },
    roleRef: { apiGroup, kind: "ClusterRole", name: role },
    subjects: [
      { kind: "User", apiGroup, name: user },
      { kind: "ServiceAccount", namespace: NAMESPACE, name: user },
    ],
  });
}

/** A token that can be taken back. */
export interface Token {
  readonly token: string;
  /** Resolves once the API server accepts it no more. */
  revoke(): Promise<void>;
}

/** A token of a service account, made where need be; it falls with a Secret that it is bound to. */
export async function createToken(signIn: SignIn, name: string): Promise<Token> {
  const { api } = signIn;
  await api.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: NAMESPACE } });
  // https://kubernetes.io/docs/reference/kubernetes-api/core/secret-v1/
  const { metadata } = await api.send<{ metadata: { name: string } }>("POST", `${core}/secrets`, {
    metadata: { generateName: `${name}-` },
  });
  // https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/
  const { status } = await api.send<{ status: { token: string } }>(
    "POST",
    `${core}/serviceaccounts/${name}/token`,
    {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { boundObjectRef: { apiVersion: "v1", kind: "Secret", name: metadata.name } },
    },
  );
  const { token } = status;
  return {
    token,
    revoke: async () => {
      await api.send("DELETE", `${core}/secrets/${metadata.name}`);
      await refused(signIn, token);
    },
  };
}

/** Resolves once the API server says 401 to the token: it goes on for some seconds to accept what it has just accepted. */
async function refused(signIn: SignIn, token: string): Promise<void> {
  const own = await openApi(await signIn.kubeconfig(await signIn.folder(), { user: { token } }));
  try {
    for (;;) {
      const told = await own.send("GET", "/api").catch((error: unknown) => String(error));
      if (typeof told === "string" && told.includes(": 401 ")) return;
      await delay(500);
    }
  } finally {
    own.close();
  }
}
