import { type Authorizer, anonymous, type Credentials, createAuthorizer } from "./authorize.ts";
import { createAgents, openStream, readStatus, type StreamResponse } from "./http-stream.ts";
import { type KubeConfigOptions, loadKubeConfig } from "./kube-config.ts";
import { notKubernetes, responseError } from "./response-error.ts";
import { isKubernetes } from "./wire.ts";

/** The way to one API server: who it is and how to read from it. */
export interface Connection {
  /** Name of the context, or of the cluster. */
  readonly name: string;
  /** Base URL, without a slash at its end. */
  readonly server: string;
  /**
   * Sends a GET for `path` (with its query) and resolves once it is answered with 200 and in one of Kubernetes' formats.
   * Throws SourceError for every other answer and where there is none, and the signal's reason where it is aborted.
   */
  readonly open: (path: string, init: OpenInit) => Promise<StreamResponse>;
}

interface OpenInit {
  readonly accept: string;
  readonly signal: AbortSignal;
  /** The answer is plain text, as only that of a pod's log is. */
  readonly text?: boolean;
}

const USER_AGENT = "seamline/0.1.0";

/**
 * The cluster that is configured for this process, by `loadKubeConfig`'s rules and with all of its authentication;
 * undefined only where none is configured at all. Throws SourceError for a broken file or an unknown context.
 */
export function connectionFromKubeConfig(options: KubeConfigOptions): Connection | undefined {
  const config = loadKubeConfig(options);
  const cluster = config?.getCurrentCluster();
  if (!config || !cluster) return undefined;
  const name = config.currentContext;
  // The context is held, since another may be the current one when the file is read again.
  const held = { ...options, env: { ...options.env, SEAMLINE_CONTEXT: name } };
  return createConnection(
    name,
    cluster.server,
    createAuthorizer(config, () => loadKubeConfig(held) ?? config),
  );
}

/** A server that asks for no credentials, e.g. `kubectl proxy` or the demo cluster. */
export function connectionToUrl(url: string, name: string): Connection {
  return createConnection(name, url.replace(/\/+$/, ""), anonymous);
}

function createConnection(name: string, server: string, authorizer: Authorizer): Connection {
  const agents = createAgents();
  return {
    name,
    server,
    open: async (path, { accept, signal, text = false }) => {
      const send = async ({ options }: Credentials) => {
        const headers = { ...options.headers, accept, "user-agent": USER_AGENT };
        return await openStream(server, path, { ...options, headers }, agents, signal);
      };
      const credentials = await orAborted(authorizer.get(), signal);
      let response = await send(credentials);
      const renewed = response.status === 401 ? authorizer.renew(credentials) : undefined;
      if (renewed) {
        await readStatus(response);
        response = await send(await orAborted(renewed, signal));
      }
      const { status, contentType, retryAfter } = response;
      const expected = isKubernetes(contentType) || (text && contentType.startsWith("text/plain"));
      if (status === 200 && expected) return response;
      const said = await readStatus(response);
      throw status === 200
        ? notKubernetes(
            `The API server ${server} answers with ${contentType}, which is none of Kubernetes' formats`,
          )
        : responseError({ server, path }, status, said, retryAfter);
    },
  };
}

/** An exec plugin that hangs must not hold a request that was given up. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
