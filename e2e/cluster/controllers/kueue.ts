import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stringify } from "yaml";
import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";
import { type Api, openApi } from "../api.ts";
import { binaries } from "../binaries.ts";
import { moduleFolder } from "../module-folder.ts";
import { freePorts } from "../processes/free-ports.ts";
import type { ProcessesCluster } from "../processes.ts";
import { applyCrds, readCrds } from "./crds.ts";

const NAMESPACE = "kueue-system";
const SERVICE = "kueue-webhook-service";
const SECRET = "kueue-webhook-server-cert";

const LOCAL = "127.0.0.1";

/** https://kueue.sigs.k8s.io/docs/reference/kueue-config.v1beta2/ */
const CONFIGURATION = {
  apiVersion: "config.kueue.x-k8s.io/v1beta2",
  kind: "Configuration",
  namespace: NAMESPACE,
  leaderElection: { leaderElect: false },
  integrations: { frameworks: ["batch/job"] },
  // An API server of its own, which nobody asks here.
  featureGates: { VisibilityOnDemand: false },
};

/** Kinds whose versions Kueue itself translates: those that have a patch for it in its module. */
const CONVERTED = ["localqueues", "clusterqueues", "cohorts", "workloads", "multikueueclusters"];

/** The definitions of Kueue's kinds, as its module has them. */
export async function kueueCrds(): Promise<readonly KubernetesObject[]> {
  const module = await moduleFolder("kueue", "sigs.k8s.io/kueue");
  return await readCrds([join(module, "config/components/crd/bases")]);
}

/**
 * Starts the real Kueue, which translates between the versions of its kinds, but without its admission webhooks: Jobs have
 * to be made suspended. Resolves once it is there.
 */
export async function startKueue(cluster: ProcessesCluster): Promise<void> {
  const { kueue } = await binaries("kueue", () => {});
  const [webhooks = 0, metrics, health] = await freePorts(3);
  await applyCrds(
    cluster,
    (await kueueCrds()).map((crd) => withConversion(crd, webhooks)),
  );
  const api = await openApi(cluster.kubeconfig);
  try {
    await api.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
    // The API server dials what the service names: no proxy is needed.
    await api.apply({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: SERVICE, namespace: NAMESPACE },
      spec: { type: "ExternalName", externalName: "localhost" },
    });
    await api.apply({ apiVersion: "v1", kind: "Secret", metadata: { name: SECRET, namespace: NAMESPACE } });
    const certDir = join(cluster.folder, "kueue-certificates");
    const config = join(cluster.folder, "kueue.yaml");
    const webhook = { host: LOCAL, port: webhooks, certDir };
    const metricsAddress = { bindAddress: `${LOCAL}:${metrics}` };
    const healthAddress = { healthProbeBindAddress: `${LOCAL}:${health}` };
    await writeFile(
      config,
      stringify({ ...CONFIGURATION, webhook, metrics: metricsAddress, health: healthAddress }),
    );
    const flags = [`--config=${config}`, `--kubeconfig=${cluster.kubeconfig}`];
    const program = cluster.add({ name: "kueue", program: kueue, flags });
    program.start();
    await mountSecret(api, certDir, program.check);
    await isReady(`http://${LOCAL}:${health}/readyz`, program.check);
  } finally {
    api.close();
  }
}

function withConversion(crd: KubernetesObject, port: number): KubernetesObject {
  const [plural = ""] = crd.metadata.name.split(".");
  if (!CONVERTED.includes(plural)) return crd;
  const service = { namespace: NAMESPACE, name: SERVICE, path: "/convert", port };
  const webhook = { clientConfig: { service }, conversionReviewVersions: ["v1"] };
  return { ...crd, spec: { ...Object(crd.spec), conversion: { strategy: "Webhook", webhook } } };
}

/** As a kubelet does: Kueue fills the Secret, and waits for it as files. */
async function mountSecret(api: Api, folder: string, check: () => Promise<void>): Promise<void> {
  const path = `/api/v1/namespaces/${NAMESPACE}/secrets/${SECRET}`;
  for (;;) {
    const { data = {} } = await api.send<{ data?: Readonly<Record<string, string>> }>("GET", path);
    if ("tls.crt" in data) {
      const unfinished = `${folder}.part`;
      await mkdir(unfinished);
      for (const [name, content] of Object.entries(data))
        await writeFile(join(unfinished, name), Buffer.from(content, "base64"), { mode: 0o600 });
      await rename(unfinished, folder);
      return;
    }
    await check();
    await delay(POLL);
  }
}

const POLL = 100;

async function isReady(url: string, check: () => Promise<void>): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await check();
    await delay(POLL);
  }
}
