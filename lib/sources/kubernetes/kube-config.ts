import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { KubeConfig as Config } from "@kubernetes/client-node";
import { parse } from "yaml";
import { SourceError } from "../source-error.ts";
import { KubeConfig } from "./client-node-config.ts";
import { type RawObject, rawObject } from "./raw.ts";

/** `process.env`, or what stands for it. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface KubeConfigOptions {
  /** KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT, KUBECONFIG and SEAMLINE_CONTEXT are read from it. */
  readonly env: Environment;
  readonly homeDir: string;
  /** Where a pod finds its service account, if not in Kubernetes' own place. */
  readonly serviceAccountDir?: string;
}

/** The context's name for the service account of the pod that this runs in. */
const IN_CLUSTER = "in-cluster";

/**
 * What says how to reach the cluster: the service account of the pod that this runs in, else the files of KUBECONFIG,
 * else `~/.kube/config`; undefined where there is none of them. SEAMLINE_CONTEXT names a context of those files, so it
 * passes over the service account. Throws SourceError where a file is named but missing or broken, or has no such context.
 * https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/
 */
export function loadKubeConfig(options: KubeConfigOptions): Config | undefined {
  const { env, homeDir } = options;
  const wanted = env.SEAMLINE_CONTEXT;
  const inCluster = !wanted || wanted === IN_CLUSTER ? loadServiceAccount(options) : undefined;
  if (inCluster) return inCluster;
  const files = kubeConfigFiles(env, homeDir);
  if (files.length === 0) {
    if (!wanted) return undefined;
    throw new SourceError("invalid", `SEAMLINE_CONTEXT is ${wanted}, but there is no kubeconfig`, {
      hint: "Set KUBECONFIG to the file that has this context.",
    });
  }
  const config = merge(files.map(loadFile));
  if (wanted) config.setCurrentContext(wanted);
  checkContext(config, files, wanted);
  return config;
}

/** https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/ */
function loadServiceAccount({
  env,
  serviceAccountDir = "/var/run/secrets/kubernetes.io/serviceaccount",
}: KubeConfigOptions): Config | undefined {
  const host = env.KUBERNETES_SERVICE_HOST;
  const tokenFile = join(serviceAccountDir, "token");
  if (!host || !existsSync(tokenFile)) return undefined;
  const cluster = {
    name: IN_CLUSTER,
    server: `https://${host.includes(":") ? `[${host}]` : host}:${env.KUBERNETES_SERVICE_PORT || "443"}`,
    caFile: join(serviceAccountDir, "ca.crt"),
    skipTLSVerify: false,
  };
  const user = { name: IN_CLUSTER, authProvider: { name: "tokenFile", config: { tokenFile } } };
  const context = { name: IN_CLUSTER, cluster: IN_CLUSTER, user: IN_CLUSTER };
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [cluster],
    users: [user],
    contexts: [context],
    currentContext: IN_CLUSTER,
  });
  return config;
}

/** As kubectl does, files of a list that do not exist are passed over, as long as one does. */
function kubeConfigFiles(env: Environment, homeDir: string): readonly string[] {
  if (!env.KUBECONFIG) return [join(homeDir, ".kube", "config")].filter((file) => existsSync(file));
  const named = env.KUBECONFIG.split(delimiter).filter((file) => file !== "");
  const files = named.filter((file) => existsSync(file));
  if (files.length > 0) return files;
  throw new SourceError("invalid", `KUBECONFIG names a file that does not exist: ${named.join(", ")}`, {
    hint: "Correct KUBECONFIG, or unset it to use ~/.kube/config.",
  });
}

function loadFile(file: string): Config {
  const config = new KubeConfig();
  try {
    const folder = dirname(file);
    // Without pretty errors the parser's message does not quote the file, which holds credentials.
    const document: unknown = parse(readFileSync(file, "utf8"), { prettyErrors: false });
    config.loadFromString(JSON.stringify(prepare(rawObject(document), folder)));
    config.makePathsAbsolute(folder);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SourceError("invalid", `The kubeconfig ${file} cannot be read: ${why}`, { cause });
  }
  return config;
}

/**
 * What kubectl understands and client-node 2.0.1 does not: `http://` servers (it wants skip-tls-verify), `tokenFile`,
 * relative exec commands, what exec plugins are told of their caller, and contexts without a user (it would leave out the
 * cluster's certificate authority).
 */
function prepare(document: RawObject, folder: string): RawObject {
  const clusters = entries(document.clusters).map((entry) => {
    const cluster = rawObject(entry.cluster);
    const plain = typeof cluster.server === "string" && cluster.server.startsWith("http:");
    return plain ? { ...entry, cluster: { ...cluster, "insecure-skip-tls-verify": true } } : entry;
  });
  const users = entries(document.users).map((entry) => ({
    ...entry,
    user: prepareUser(rawObject(entry.user), folder),
  }));
  const contexts = entries(document.contexts).map((entry) => {
    const context = rawObject(entry.context);
    return context.user || !context.cluster ? entry : { ...entry, context: { ...context, user: ANONYMOUS } };
  });
  return { ...document, clusters, users: [...users, { name: ANONYMOUS, user: {} }], contexts };
}

const ANONYMOUS = "seamline-anonymous";

function prepareUser(user: RawObject, folder: string): RawObject {
  const { tokenFile } = user;
  if (typeof tokenFile === "string" && tokenFile !== "") {
    const { token: _, ...rest } = user;
    const path = isAbsolute(tokenFile) ? tokenFile : join(folder, tokenFile);
    return { ...rest, "auth-provider": { name: "tokenFile", config: { tokenFile: path } } };
  }
  return user.exec ? { ...user, exec: prepareExec(rawObject(user.exec), folder) } : user;
}

/** https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins */
function prepareExec(exec: RawObject, folder: string): RawObject {
  const { command, apiVersion } = exec;
  const relative = typeof command === "string" && command.includes("/") && !isAbsolute(command);
  const info = { apiVersion, kind: "ExecCredential", spec: { interactive: false } };
  return {
    ...exec,
    command: relative ? join(folder, command) : command,
    env: [...entries(exec.env), { name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(info) }],
  };
}

function entries(value: unknown): readonly RawObject[] {
  return Array.isArray(value) ? value.map(rawObject) : [];
}

/** The first file that says something wins. */
function merge(configs: readonly Config[]): Config {
  const merged = new KubeConfig();
  for (const config of configs) {
    merged.currentContext ||= config.currentContext;
    for (const cluster of config.clusters) if (!merged.getCluster(cluster.name)) merged.addCluster(cluster);
    for (const user of config.users) if (!merged.getUser(user.name)) merged.addUser(user);
    for (const context of config.contexts) {
      if (!merged.getContextObject(context.name)) merged.addContext(context);
    }
  }
  return merged;
}

/** The current context has to be there, with its cluster and its user. */
function checkContext(config: Config, files: readonly string[], wanted: string | undefined): void {
  const file = files.join(", ");
  const why = contextProblem(config, file, wanted);
  if (why === undefined) return;
  const known = config.contexts.map(({ name }) => name).join(", ") || "none";
  throw new SourceError("invalid", why, {
    hint: `Contexts in ${file}: ${known}. SEAMLINE_CONTEXT picks one.`,
  });
}

function contextProblem(config: Config, file: string, wanted: string | undefined): string | undefined {
  const name = config.currentContext;
  if (!name) return `The kubeconfig ${file} has no current context`;
  const context = config.getContextObject(name);
  if (!context) {
    return wanted
      ? `SEAMLINE_CONTEXT names a context that ${file} does not have: ${name}`
      : `The kubeconfig ${file} does not have its own current context: ${name}`;
  }
  if (!config.getCurrentCluster()) {
    return `The context ${name} in ${file} names a cluster that is not there: ${context.cluster}`;
  }
  if (!config.getCurrentUser()) {
    return `The context ${name} in ${file} names a user that is not there: ${context.user}`;
  }
  return undefined;
}
