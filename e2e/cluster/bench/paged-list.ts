import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";

/** Lists all nodes and all pods in pages of 500, keeps them, says how many there are, and ends. */
interface Page<T> {
  readonly items: readonly T[];
  readonly metadata?: { readonly _continue?: string };
}

async function all<T>(list: (page: { limit: number; _continue?: string }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let next: string | undefined;
  do {
    const page: Page<T> = await list({ limit: 500, ...(next ? { _continue: next } : {}) });
    for (const item of page.items) items.push(item);
    next = page.metadata?._continue;
  } while (next);
  return items;
}

const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CoreV1Api);
const [nodes, pods] = await Promise.all([
  all((page) => api.listNode(page)),
  all((page) => api.listPodForAllNamespaces(page)),
]);
console.log(JSON.stringify({ nodes: nodes.length, pods: pods.length }));
process.exit(0);
