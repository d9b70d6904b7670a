import type { RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { SourceError } from "../source-error.ts";

/** What a request needs to be let in, and where it came from. */
export interface Credentials {
  readonly options: RequestOptions;
  readonly config: KubeConfig | undefined;
}

/** Where requests get their credentials. */
export interface Authorizer {
  /** For each request anew, so that rotated tokens are picked up. Throws SourceError `unauthorized`. */
  get(): Promise<Credentials>;
  /** After a 401: credentials read anew from their files and plugins; undefined where there is nothing to read. */
  renew(refused: Credentials): Promise<Credentials> | undefined;
}

/** Longest that an exec plugin or an identity provider may take. */
const LIMIT_MS = 30_000;

/** All of client-node's authentication. `reload` reads the configuration anew: a new KubeConfig has nothing cached. */
export function createAuthorizer(config: KubeConfig, reload: () => KubeConfig): Authorizer {
  let current = config;
  let pending: Promise<Credentials> | undefined;
  // Requests that start together share one run of an exec plugin.
  const get = () => {
    pending ??= credentials(current).finally(() => {
      pending = undefined;
    });
    return pending;
  };
  return {
    get,
    renew: async (refused) => {
      if (refused.config === current) {
        current = reload();
        pending = undefined;
      }
      return await get();
    },
  };
}

/** For servers that ask for no credentials. */
export const anonymous: Authorizer = {
  get: async () => ({ options: {}, config: undefined }),
  renew: () => undefined,
};

async function credentials(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = {};
  try {
    await withinLimit(config.applyToHTTPSOptions(options));
  } catch (cause) {
    throw new SourceError(
      "unauthorized",
      `The credentials of the context ${config.currentContext} cannot be read: ${reason(cause)}`,
      {
        hint: "Check the context's user in the kubeconfig: its files, or its exec plugin run by hand.",
        cause,
      },
    );
  }
  // Only a proxy needs client-node's agent: it holds the TLS settings of its first request for ever.
  const { agent, ...rest } = options;
  const proxied = config.getCurrentCluster()?.proxyUrl ? { agent } : {};
  return { options: { ...rest, ...proxied, headers: trimmed(options.headers) }, config };
}

/** A token file often ends with a newline, which no header may hold. */
function trimmed(headers: RequestOptions["headers"]): Record<string, string> {
  const entries = Object.entries(headers ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value).trim()]));
}

async function withinLimit(work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${LIMIT_MS / 1_000} s`)), LIMIT_MS);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** First line of what went wrong. A plugin may print a token in its error, so what looks like one is left out. */
function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [line = ""] = message.trim().split("\n");
  return line
    .replaceAll(/[\w+/=.-]{32,}/g, (word) => (word.startsWith("/") ? word : "[left out]"))
    .slice(0, 300);
}
