import { Agent, type RequestOptions, request } from "node:https";
import { text } from "node:stream/consumers";
import { KubeConfig } from "@kubernetes/client-node";
import type { KubernetesObject } from "../../lib/testing/api-server/kubernetes-object.ts";

/** A few plain requests to an API server, many at a time. */
export interface Api {
  /** Resolves with the body, parsed; `T` is what the API's reference says of it. Throws an ApiError for an answer that is no success. */
  send<T = unknown>(method: string, path: string, body?: unknown, contentType?: string): Promise<T>;
  /** Server-side apply of the object, its status left aside by the server. */
  apply(object: KubernetesObject): Promise<Applied>;
  /** Server-side apply through the status subresource. */
  applyStatus(object: KubernetesObject): Promise<void>;
  /** @param grace seconds that a pod is given to end by itself */
  remove(object: KubernetesObject, grace: number): Promise<void>;
  close(): void;
}

/** What is read of an object that was applied. */
interface Applied {
  readonly metadata: { readonly uid: string };
}

/** An answer that is no success. */
export class ApiError extends Error {
  override name = "ApiError" as const;
  /** HTTP status. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** Connections to one server. */
const CONNECTIONS = 32;
const APPLY = "fieldManager=seamline-seed&force=true";

/**
 * @param kubeconfig path of a file whose current context is used
 * @param connections how many requests are under way at a time
 */
export async function openApi(kubeconfig: string, connections = CONNECTIONS): Promise<Api> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error(`${kubeconfig} names no server`);
  const credentials: RequestOptions = {};
  await config.applyToHTTPSOptions(credentials);
  const { ca, cert, key } = credentials;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca, cert, key });

  const send: Api["send"] = async (method, path, body, contentType = "application/json") => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = { ...credentials.headers, ...(payload ? { "content-type": contentType } : {}) };
    const answer = await new Promise<{ code: number; told: string }>((resolve, reject) => {
      const sent = request(new URL(path, server), { method, agent, headers }, (response) => {
        text(response).then((told) => resolve({ code: response.statusCode ?? 0, told }), reject);
      });
      sent.on("error", reject).end(payload);
    });
    if (answer.code >= 300)
      throw new ApiError(`${method} ${path}: ${answer.code} ${answer.told}`, answer.code);
    return answer.told.startsWith("{") ? JSON.parse(answer.told) : answer.told;
  };

  const pathOf = resourcePaths(send);
  const patch = async (path: string, object: unknown) =>
    await send<Applied>("PATCH", `${path}?${APPLY}`, object, "application/apply-patch+yaml");
  return {
    send,
    apply: async (object) => await patch(await pathOf(object), object),
    applyStatus: async (object) => {
      const { apiVersion, kind, metadata, status } = object;
      const { name, namespace } = metadata;
      await patch(`${await pathOf(object)}/status`, {
        apiVersion,
        kind,
        metadata: { name, namespace },
        status,
      });
    },
    remove: async (object, grace) => {
      await send("DELETE", `${await pathOf(object)}?gracePeriodSeconds=${grace}`);
    },
    close: () => agent.destroy(),
  };
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/** Where objects live, from the server's own discovery, asked once per group and version. */
function resourcePaths(send: Api["send"]): (object: KubernetesObject) => Promise<string> {
  const known = new Map<string, Promise<ResourceList>>();
  return async ({ apiVersion, kind, metadata }) => {
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    // The discovery document is Kubernetes' own: https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
    const list = known.get(root) ?? send<ResourceList>("GET", root);
    known.set(root, list);
    const found = (await list).resources.find((each) => each.kind === kind && !each.name.includes("/"));
    if (!found) throw new Error(`the server has no ${kind} in ${apiVersion}`);
    const place = found.namespaced ? `/namespaces/${metadata.namespace ?? "default"}` : "";
    return `${root}${place}/${found.name}/${encodeURIComponent(metadata.name)}`;
  };
}
