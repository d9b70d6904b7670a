import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { access, mkdir, readFile, rename, rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import { RigError } from "./rig.ts";

const cache = join(import.meta.dirname, "../../.cache");

interface SetOptions {
  /** The module whose version is the set's. */
  readonly main: string;
  /** Program -> its package. */
  readonly packages: Readonly<Record<string, string>>;
  /** Environment of the Go command besides this process' own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Folders below tools/: a go.mod with pinned versions, its go.sum, and no Go code of ours. */
const SETS = {
  "control-plane": {
    main: "k8s.io/kubernetes",
    packages: {
      etcd: "go.etcd.io/etcd/server/v3",
      "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
      "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
      "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
      kubectl: "k8s.io/kubernetes/cmd/kubectl",
    },
  },
  kwok: { main: "sigs.k8s.io/kwok", packages: { kwok: "sigs.k8s.io/kwok/cmd/kwok" } },
  karpenter: { main: "sigs.k8s.io/karpenter", packages: { karpenter: "sigs.k8s.io/karpenter/kwok" } },
  kueue: { main: "sigs.k8s.io/kueue", packages: { kueue: "sigs.k8s.io/kueue/cmd/kueue" } },
  kind: { main: "sigs.k8s.io/kind", packages: { kind: "sigs.k8s.io/kind" } },
  "device-plugin": {
    main: "k8s.io/kubernetes",
    packages: { "sample-device-plugin": "k8s.io/kubernetes/test/images/sample-device-plugin" },
    // It runs in a container that has nothing else in it.
    env: { CGO_ENABLED: "0", GOOS: "linux" },
  },
} as const satisfies Readonly<Record<string, SetOptions>>;

type Sets = typeof SETS;

/** Name of a folder below tools/. */
export type ToolSet = keyof Sets;

/** Paths of the programs of a set, by their names. */
export type Binaries<S extends ToolSet> = Readonly<Record<keyof Sets[S]["packages"], string>>;

/** Seconds between two signs of life of a build. */
const SIGN_OF_LIFE = 20;

/**
 * The programs of `set`, built from their Go modules where the cache does not have them yet: once per version, one
 * after the other, which takes minutes.
 *
 * @throws RigError without Go, or where a build fails.
 */
export async function binaries<S extends ToolSet>(
  set: S,
  progress: (line: string) => void,
): Promise<Binaries<S>> {
  const { main, packages, env = {} }: SetOptions = SETS[set];
  const source = join(import.meta.dirname, "tools", set);
  const goMod = await readFile(join(source, "go.mod"), "utf8");
  const version = versionOf(main, goMod);
  const flags = linkerFlags(version);
  const folder = join(cache, "bin", `${set}-${version}-${await fingerprint(source, goMod, flags)}`);
  await mkdir(folder, { recursive: true });
  const paths: Record<string, string> = {};
  for (const [name, path] of Object.entries(packages)) {
    const file = join(folder, name);
    paths[name] = file;
    if (!(await exists(file))) await build({ name, path, version, flags, env, source, file, progress });
  }
  return paths as Binaries<S>; // The keys are those of `packages`, which Object.entries forgets.
}

interface Build {
  readonly name: string;
  readonly path: string;
  readonly version: string;
  readonly flags: string;
  readonly env: Readonly<Record<string, string>>;
  readonly source: string;
  readonly file: string;
  readonly progress: (line: string) => void;
}

/** Built under a name of its own and then renamed, so that several runs may build side by side. */
async function build({ name, path, version, flags, env, source, file, progress }: Build): Promise<void> {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1_000);
  const what = `${name} (${path}, set of ${version})`;
  progress(`building ${what}, once for this version`);
  const sign = setInterval(() => progress(`building ${name}: ${seconds()} s`), SIGN_OF_LIFE * 1_000);
  const unfinished = `${file}.${process.pid}`;
  try {
    await go(["build", "-ldflags", flags, "-o", unfinished, path], source, env);
    await rename(unfinished, file);
  } finally {
    clearInterval(sign);
    await rm(unfinished, { force: true });
  }
  progress(`built ${name} in ${seconds()} s`);
}

async function go(args: readonly string[], cwd: string, env: Build["env"]): Promise<void> {
  const child = spawn("go", args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  child.stderr.on("data", (chunk) => {
    told += chunk;
  });
  const code = await ended(child);
  if (code !== 0)
    throw new RigError(`go ${args.join(" ")} in ${cwd} ended with ${code}:\n${told.slice(-4_000)}`);
}

async function ended(child: ChildProcess): Promise<number | null> {
  // Minutes on all cores: whoever works at this machine comes first.
  if (child.pid !== undefined) setPriority(child.pid, 19);
  const stop = () => child.kill();
  process.once("exit", stop);
  try {
    await once(child, "close");
    return child.exitCode;
  } catch (cause) {
    throw new RigError(
      "The rig is built from Go modules, and there is no `go` on the PATH. Install Go 1.26 or newer: https://go.dev/dl/",
      { cause },
    );
  } finally {
    process.removeListener("exit", stop);
  }
}

/** The version that go.mod pins for a module. */
function versionOf(module: string, goMod: string): string {
  const version = goMod.split("\n").map((line) =>
    line
      .trim()
      .replace(/^require /, "")
      .split(" "),
  );
  const found = version.find(([name]) => name === module)?.[1];
  if (!found) throw new Error(`go.mod pins no version of ${module}`);
  return found;
}

/** What a release build is told of its version; without it Kubernetes' programs call themselves v0.0.0. */
function linkerFlags(version: string): string {
  const [major, minor] = version.replace("v", "").split(".");
  const variables = { gitVersion: version, gitMajor: major, gitMinor: minor };
  const set = Object.entries(variables).map(
    ([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`,
  );
  return ["-s", "-w", ...set].join(" ");
}

async function fingerprint(source: string, goMod: string, flags: string): Promise<string> {
  const goSum = await readFile(join(source, "go.sum"));
  const hash = createHash("sha256").update(goMod).update(goSum).update(flags);
  return hash.update(`${process.platform}/${process.arch}`).digest("hex").slice(0, 12);
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
