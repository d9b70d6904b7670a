import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FleetView } from "../../lib/model/fleet-view.ts";
import { createClusterSource } from "../../lib/sources/kubernetes/cluster-source.ts";
import { connectionFromKubeConfig } from "../../lib/sources/kubernetes/connection.ts";
import { readView, type Seamline } from "../support/seamline.ts";
import { expect, test } from "./cluster-test.ts";
import { allow, createToken, type SignIn, signInForAll } from "./credentials.ts";
import { isRequired } from "./required-sources.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

// Every way to sign in, at an API server that checks it, with the rights of deploy/cluster-role.yaml.

let signIn: SignIn;
signInForAll((opened) => {
  signIn = opened;
});

const LIVE = { nodes: "live", pods: "live", events: "live", problems: [] };

function told({ sources }: Pick<FleetView, "sources">) {
  const kubernetes = sources.filter(isRequired);
  return {
    ...Object.fromEntries(kubernetes.map(({ id, state }) => [id.replace("kubernetes/", ""), state])),
    problems: kubernetes.flatMap(({ error }) => (error ? [error.message] : [])),
  };
}

/** Waits until all nodes of the cluster are seen and everything is followed. */
async function readsAll(seamline: Seamline): Promise<void> {
  const view = async () => await readView<FleetView>(seamline);
  const nodes = (await signIn.cluster.kubectl(["get", "nodes", "-o", "name"])).trim().split("\n");
  await expect.poll(async () => (await view()).counts.nodes).toBe(nodes.length);
  await expect.poll(async () => told(await view())).toEqual(LIVE);
  expect((await view()).cluster.kind).toBe("cluster");
}

/** Breaks the line off, so that every request is made anew, and waits until one sees what it did not know before. */
async function readsAnew(seamline: Seamline, line: TcpProxy, node: string): Promise<void> {
  line.cut();
  const object = JSON.stringify({ apiVersion: "v1", kind: "Node", metadata: { name: node } });
  await signIn.cluster.kubectl(["create", "-f", "-"], object);
  await readsAll(seamline);
}

test("a client certificate, in the kubeconfig itself", async ({ start }) => {
  await allow(signIn.api, "alice");
  const { certificate, key } = await signIn.clients.issue("alice", 1);
  const base64 = async (file: string) => await readFile(file, "base64");
  const user = { "client-certificate-data": await base64(certificate), "client-key-data": await base64(key) };
  const KUBECONFIG = await signIn.kubeconfig(await signIn.folder(), { user });
  await readsAll(await start({ KUBECONFIG }));
});

test("a client certificate in files, beside the kubeconfig", async ({ start }) => {
  await allow(signIn.api, "bob");
  const { certificate, key } = await signIn.clients.issue("bob", 1);
  const folder = await signIn.folder();
  await writeFile(join(folder, "bob.crt"), await readFile(certificate));
  await writeFile(join(folder, "bob.key"), await readFile(key));
  const user = { "client-certificate": "bob.crt", "client-key": "./bob.key" };
  await readsAll(await start({ KUBECONFIG: await signIn.kubeconfig(folder, { user }) }));
});

test("a bearer token in the kubeconfig", async ({ start }) => {
  await allow(signIn.api, "bearer");
  const { token } = await createToken(signIn, "bearer");
  await readsAll(
    await start({ KUBECONFIG: await signIn.kubeconfig(await signIn.folder(), { user: { token } }) }),
  );
});

test("a token file, rotated before the old token is refused", async ({ start }) => {
  await allow(signIn.api, "rotating");
  const [first, second] = [await createToken(signIn, "rotating"), await createToken(signIn, "rotating")];
  const line = await startTcpProxy(signIn.cluster.server);
  const folder = await signIn.folder();
  await writeFile(join(folder, "token"), `${first.token}\n`);
  const KUBECONFIG = await signIn.kubeconfig(folder, { server: line.url, user: { tokenFile: "token" } });
  const seamline = await start({ KUBECONFIG });
  await readsAll(seamline);
  await writeFile(join(folder, "token"), `${second.token}\n`);
  await first.revoke();
  await readsAnew(seamline, line, "after-rotation");
  await line.close();
});

test("an exec plugin, run once, and once more when its token is refused", async ({ start }) => {
  await allow(signIn.api, "plugin");
  const [first, second] = [await createToken(signIn, "plugin"), await createToken(signIn, "plugin")];
  const line = await startTcpProxy(signIn.cluster.server);
  const folder = await signIn.folder();
  const plugin = await writePlugin(folder);
  await plugin.gives(first.token);
  const user = {
    exec: {
      apiVersion: CREDENTIAL,
      command: "./plugin",
      args: [folder],
      env: [{ name: "PLUGIN_PROFILE", value: "lab" }],
      interactiveMode: "Never",
    },
  };
  const seamline = await start({
    KUBECONFIG: await signIn.kubeconfig(folder, { server: line.url, user }),
  });
  await readsAll(seamline);
  await readsAnew(seamline, line, "after-plugin");
  expect(await plugin.runs()).toEqual(["lab"]);
  await plugin.gives(second.token);
  await first.revoke();
  await readsAnew(seamline, line, "after-plugin-again");
  expect(await plugin.runs()).toEqual(["lab", "lab"]);
  await line.close();
});

test("the service account of a pod, whose token is renewed", async () => {
  await allow(signIn.api, "in-cluster");
  const [first, second] = [await createToken(signIn, "in-cluster"), await createToken(signIn, "in-cluster")];
  const line = await startTcpProxy(signIn.cluster.server);
  const serviceAccountDir = join(await signIn.folder(), "serviceaccount");
  await mkdir(serviceAccountDir);
  await writeFile(join(serviceAccountDir, "ca.crt"), signIn.certificate);
  await writeFile(join(serviceAccountDir, "namespace"), "seamline");
  await writeFile(join(serviceAccountDir, "token"), first.token);
  const { hostname, port } = new URL(line.url);
  const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  // The dashboard itself looks in a pod's own place only, which is none of a test's business.
  const connection = connectionFromKubeConfig({ env, homeDir: serviceAccountDir, serviceAccountDir });
  if (!connection) throw new Error("no service account found");
  expect(connection.name).toBe("in-cluster");
  const source = createClusterSource({ connection });
  source.start();
  const states = () =>
    source
      .read()
      .sources.filter(isRequired)
      .map(({ state, error }) => error?.message ?? state);
  const names = () => source.read().nodes.items.map(({ name }) => name);
  await expect.poll(states).toEqual(["live", "live", "live"]);
  expect(names()).toContain("layers-worker");
  await writeFile(join(serviceAccountDir, "token"), second.token);
  await first.revoke();
  line.cut();
  const late = JSON.stringify({ apiVersion: "v1", kind: "Node", metadata: { name: "after-renewal" } });
  await signIn.cluster.kubectl(["create", "-f", "-"], late);
  await expect.poll(names).toContain("after-renewal");
  await expect.poll(states).toEqual(["live", "live", "live"]);
  await source.stop();
  await line.close();
});

/** https://kubernetes.io/docs/reference/config-api/client-authentication.v1/ */
const CREDENTIAL = "client.authentication.k8s.io/v1";

/** A program that prints what is in `credential.json` of the folder that it is given, and notes each run. */
async function writePlugin(folder: string) {
  const script = [
    "#!/bin/sh",
    `echo "$PLUGIN_PROFILE" >> "$1/runs"`,
    // Many a plugin refuses to run where it is not told which version its caller reads.
    `case "$KUBERNETES_EXEC_INFO" in *'${CREDENTIAL}'*) cat "$1/credential.json" ;; *) exit 1 ;; esac`,
  ];
  await writeFile(join(folder, "plugin"), `${script.join("\n")}\n`, { mode: 0o700 });
  return {
    gives: async (token: string) => {
      const credential = { apiVersion: CREDENTIAL, kind: "ExecCredential", status: { token } };
      await writeFile(join(folder, "credential.json"), JSON.stringify(credential));
    },
    runs: async () => (await readFile(join(folder, "runs"), "utf8")).trim().split("\n"),
  };
}
