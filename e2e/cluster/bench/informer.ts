import { CoreV1Api, KubeConfig, makeInformer } from "@kubernetes/client-node";

/** Fills an informer of all nodes and one of all pods, says how many each has, and ends. */
const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CoreV1Api);
const nodes = makeInformer(config, "/api/v1/nodes", () => api.listNode());
const pods = makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces());
for (const informer of [nodes, pods])
  informer.on("error", (error) => {
    console.error(error);
    process.exit(1);
  });
await Promise.all([nodes.start(), pods.start()]);
console.log(JSON.stringify({ nodes: nodes.list().length, pods: pods.list().length }));
process.exit(0);
