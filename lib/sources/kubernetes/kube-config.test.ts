import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { SourceError } from "../source-error.ts";
import { type Environment, loadKubeConfig } from "./kube-config.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "seamline-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A kubeconfig with one context, cluster and user of each of these names; the first is the current one. */
function config(...names: readonly string[]) {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": names[0],
    contexts: names.map((name) => ({ name, context: { cluster: name, user: name } })),
    clusters: names.map((name) => ({ name, cluster: { server: `https://${name}.example:6443` } })),
    users: names.map((name) => ({ name, user: { token: `secret-${name}` } })),
  };
}

function write(path: string, content: unknown): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : stringify(content));
  return file;
}

const load = (env: Environment = {}) =>
  loadKubeConfig({ env, homeDir: folder, serviceAccountDir: join(folder, "service-account") });

function failure(env: Environment): SourceError {
  try {
    load(env);
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
  throw new Error("it loaded");
}

const server = (env?: Environment) => load(env)?.getCurrentCluster()?.server;
const IN_CLUSTER = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "6443" };

describe("which cluster", () => {
  test("none, where nothing is configured", () => {
    expect(load()).toBeUndefined();
    expect(load({ KUBECONFIG: "", SEAMLINE_CONTEXT: "" })).toBeUndefined();
  });

  test("the pod's own, before everything else", () => {
    write(".kube/config", config("home"));
    write("service-account/token", "token\n");
    expect(server(IN_CLUSTER)).toBe("https://10.0.0.1:6443");
    expect(server({ ...IN_CLUSTER, KUBERNETES_SERVICE_HOST: "fd00::1" })).toBe("https://[fd00::1]:6443");
    expect(server({ ...IN_CLUSTER, SEAMLINE_CONTEXT: "home" })).toBe("https://home.example:6443");
  });

  test("not the pod's own, where it has no token or the cluster says no address", () => {
    write(".kube/config", config("home"));
    expect(server(IN_CLUSTER)).toBe("https://home.example:6443");
    write("service-account/token", "token");
    expect(server({})).toBe("https://home.example:6443");
  });

  test("that of KUBECONFIG before that of ~/.kube/config", () => {
    write(".kube/config", config("home"));
    expect(server()).toBe("https://home.example:6443");
    expect(server({ KUBECONFIG: write("other", config("other")) })).toBe("https://other.example:6443");
  });

  test("of several files the first that says something wins, and missing ones are passed over", () => {
    const files = [
      join(folder, "missing"),
      write("users", { users: config("a").users }),
      write("a", { ...config("a"), users: [{ name: "a", user: { token: "later" } }] }),
      write("b", config("b", "a")),
    ].join(delimiter);
    expect(server({ KUBECONFIG: files })).toBe("https://a.example:6443");
    expect(load({ KUBECONFIG: files })?.getCurrentUser()?.token).toBe("secret-a");
    expect(server({ KUBECONFIG: files, SEAMLINE_CONTEXT: "b" })).toBe("https://b.example:6443");
  });
});

describe("what is broken is told with its file", () => {
  test.each<[string, unknown, string]>([
    ["an empty file", "", "has no current context"],
    ["no current context", { ...config("a"), "current-context": undefined }, "has no current context"],
    ["a current context that is not there", { ...config("a"), "current-context": "gone" }, "gone"],
    ["a context without its cluster", { ...config("a"), clusters: [] }, "a cluster that is not there: a"],
    ["a context without its user", { ...config("a"), users: [] }, "a user that is not there: a"],
    [
      "a cluster without a server",
      { ...config("a"), clusters: [{ name: "a", cluster: {} }] },
      "server is missing",
    ],
    ["no YAML", "users: [{ token: secret-a", "cannot be read"],
    ["a list", "- a\n- b\n", "has no current context"],
  ])("%s", (_, content, message) => {
    const file = write("config", content);
    const error = failure({ KUBECONFIG: file });
    expect(error.code).toBe("invalid");
    expect(error.message).toContain(message);
    expect(`${error.message} ${error.hint}`).toContain(file);
    expect(`${error.message} ${error.hint}`).not.toContain("secret-a");
  });

  test("a KUBECONFIG of which no file is there", () => {
    const error = failure({ KUBECONFIG: join(folder, "missing") });
    expect(error.message).toContain(join(folder, "missing"));
    expect(error.code).toBe("invalid");
  });

  test("an unknown context, with those that are known", () => {
    const error = failure({ KUBECONFIG: write("c", config("a", "b")), SEAMLINE_CONTEXT: "x" });
    expect(error.message).toContain("x");
    expect(error.hint).toContain("a, b");
  });

  test("a context, but no file", () => {
    expect(failure({ SEAMLINE_CONTEXT: "x" }).message).toContain("there is no kubeconfig");
  });
});

describe("what client-node does not do by itself", () => {
  test("takes http:// servers", () => {
    const proxied = {
      ...config("a"),
      clusters: [{ name: "a", cluster: { server: "http://127.0.0.1:8001/" } }],
    };
    expect(load({ KUBECONFIG: write("c", proxied) })?.getCurrentCluster()).toMatchObject({
      server: "http://127.0.0.1:8001",
      skipTLSVerify: true,
    });
  });

  test("takes contexts without a user", () => {
    const anonymous = { ...config("a"), contexts: [{ name: "a", context: { cluster: "a" } }] };
    expect(load({ KUBECONFIG: write("c", anonymous) })?.getCurrentUser()).toBeTruthy();
  });

  test("finds token files and exec commands beside the kubeconfig", () => {
    const withUser = (user: object) => ({ ...config("a"), users: [{ name: "a", user }] });
    const tokenFile = load({
      KUBECONFIG: write("c", withUser({ tokenFile: "t", token: "old" })),
    })?.getCurrentUser();
    expect(tokenFile?.authProvider.config.tokenFile).toBe(join(folder, "t"));
    expect(tokenFile?.token).toBeUndefined();
    const command = (name: string) =>
      load({ KUBECONFIG: write("c", withUser({ exec: { command: name } })) })?.getCurrentUser()?.exec.command;
    expect(command("./bin/login")).toBe(join(folder, "bin/login"));
    expect(command("/usr/bin/login")).toBe("/usr/bin/login");
    expect(command("login")).toBe("login");
  });

  test("tells exec plugins what kubectl tells them", () => {
    const apiVersion = "client.authentication.k8s.io/v1";
    const env = (exec: object) => {
      const users = [{ name: "a", user: { exec: { command: "login", apiVersion, ...exec } } }];
      return load({ KUBECONFIG: write("c", { ...config("a"), users }) })?.getCurrentUser()?.exec.env;
    };
    const value = JSON.stringify({ apiVersion, kind: "ExecCredential", spec: { interactive: false } });
    const info = { name: "KUBERNETES_EXEC_INFO", value };
    expect(env({ env: null })).toEqual([info]);
    expect(env({ env: [{ name: "PROFILE", value: "lab" }] })).toEqual([
      { name: "PROFILE", value: "lab" },
      info,
    ]);
  });
});
