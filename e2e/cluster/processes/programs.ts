import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "../binaries.ts";
import { kwokFlags } from "../kwok/kwok.ts";
import { type Daemon, type DaemonOptions, daemon } from "./daemon.ts";
import { freePorts } from "./free-ports.ts";
import type { Keeper } from "./keeper.ts";
import { LOGS } from "./stop.ts";

const auditPolicy = join(import.meta.dirname, "../audit-policy.yaml");

/** The programs that are a cluster together. */
export interface Programs {
  readonly etcd: Daemon;
  readonly apiServer: Daemon;
  readonly scheduler: Daemon;
  readonly controllerManager: Daemon;
  /** Plays the kubelets of all nodes with the annotation `kwok.x-k8s.io/node: fake`. */
  readonly kwok: Daemon;
}

/** A program of a cluster: its name, its file and its flags, with what its environment has besides the others'. */
export type ProgramOptions = Pick<DaemonOptions, "name" | "program" | "flags"> & {
  readonly env?: Readonly<Record<string, string>>;
};

/** The cluster's programs, where their API server will be, and what lets in there. */
export interface Prepared {
  readonly programs: Programs;
  /** Makes a further one, not started yet. */
  add(program: ProgramOptions): Daemon;
  readonly server: string;
  readonly etcdServer: string;
  /** Folder with the API server's serving certificate, `apiserver.crt`, once it has started. */
  readonly certificates: string;
  readonly auditLog: string;
  readonly tokens: Readonly<Record<"admin" | "scheduler" | "controllerManager" | "kwok", string>>;
  /** Paths at which the programs look for a kubeconfig each. */
  readonly kubeconfigs: Readonly<Record<"scheduler" | "controllerManager" | "kwok", string>>;
}

export interface PrepareOptions {
  readonly folder: string;
  readonly binaries: Binaries<"control-plane"> & Binaries<"kwok">;
  readonly keeper: Keeper;
}

/**
 * Kubernetes gives a node 50 s and its leases 40 s; here a paused node is noticed sooner. Seconds.
 * https://kubernetes.io/docs/reference/node/node-status/#heartbeats
 */
const GRACE_PERIOD = 16;
const LEASE = 8;

/** Makes the keys and tokens of a new cluster in `folder` and says how its programs are started. */
export async function preparePrograms({ folder, binaries, keeper }: PrepareOptions): Promise<Prepared> {
  const [etcdPort, peerPort, apiPort, schedulerPort, managerPort, kwokPort = 0] = await freePorts(6);
  const logs = join(folder, LOGS);
  const certificates = join(folder, "certificates");
  await Promise.all([logs, certificates].map((path) => mkdir(path, { recursive: true })));
  const keys = await writeServiceAccountKeys(folder);
  const { tokens, file: tokenFile } = await writeTokens(folder);
  const auditLog = join(logs, "audit.log");
  const kubeconfigs = {
    scheduler: join(folder, "scheduler.kubeconfig"),
    controllerManager: join(folder, "controller-manager.kubeconfig"),
    kwok: join(folder, "kwok.kubeconfig"),
  };
  const server = `https://127.0.0.1:${apiPort}`;
  const etcdServer = `http://127.0.0.1:${etcdPort}`;
  const peers = `http://127.0.0.1:${peerPort}`;
  const env: NodeJS.ProcessEnv = { NODE_ENV: "test", PATH: process.env.PATH, HOME: folder };
  const make = (options: ProgramOptions) =>
    daemon({ ...options, env: { ...env, ...options.env }, logs, keeper });

  const etcd = make({
    name: "etcd",
    program: binaries.etcd,
    flags: [
      `--data-dir=${join(folder, "etcd")}`,
      "--unsafe-no-fsync",
      // The default of 2 GiB ends at some 100,000 pods. https://etcd.io/docs/v3.6/dev-guide/limit/
      `--quota-backend-bytes=${8 * 1024 ** 3}`,
      `--listen-client-urls=${etcdServer}`,
      `--advertise-client-urls=${etcdServer}`,
      `--listen-peer-urls=${peers}`,
      `--initial-advertise-peer-urls=${peers}`,
      `--initial-cluster=default=${peers}`,
      "--log-level=warn",
    ],
  });
  const apiServer = make({
    name: "kube-apiserver",
    program: binaries["kube-apiserver"],
    flags: [
      `--etcd-servers=${etcdServer}`,
      "--bind-address=127.0.0.1",
      "--advertise-address=127.0.0.1",
      `--secure-port=${apiPort}`,
      `--cert-dir=${certificates}`,
      `--service-account-key-file=${keys.public}`,
      `--service-account-signing-key-file=${keys.private}`,
      "--service-account-issuer=https://kubernetes.default.svc",
      `--token-auth-file=${tokenFile}`,
      "--authorization-mode=Node,RBAC",
      "--service-cluster-ip-range=10.0.0.0/24",
      "--endpoint-reconciler-type=none",
      `--audit-policy-file=${auditPolicy}`,
      `--audit-log-path=${auditLog}`,
    ],
  });
  const common = ["--bind-address=127.0.0.1", "--leader-elect=false", `--cert-dir=${certificates}`];
  const scheduler = make({
    name: "kube-scheduler",
    program: binaries["kube-scheduler"],
    flags: [...common, `--secure-port=${schedulerPort}`, `--kubeconfig=${kubeconfigs.scheduler}`],
  });
  const controllerManager = make({
    name: "kube-controller-manager",
    program: binaries["kube-controller-manager"],
    flags: [
      ...common,
      `--secure-port=${managerPort}`,
      `--kubeconfig=${kubeconfigs.controllerManager}`,
      "--use-service-account-credentials=true",
      `--service-account-private-key-file=${keys.private}`,
      `--node-monitor-grace-period=${GRACE_PERIOD}s`,
      "--node-monitor-period=1s",
      // Seeded pods name owners that are not seeded: they would be collected.
      "--controllers=*,-garbage-collector-controller",
    ],
  });
  const kwok = make({
    name: "kwok",
    program: binaries.kwok,
    flags: kwokFlags({ kubeconfig: kubeconfigs.kwok, port: kwokPort, lease: LEASE }),
  });
  const programs = { etcd, apiServer, scheduler, controllerManager, kwok };
  return { programs, add: make, server, etcdServer, certificates, auditLog, tokens, kubeconfigs };
}

/** The pair of keys that service account tokens are signed and checked with. */
async function writeServiceAccountKeys(folder: string): Promise<{ private: string; public: string }> {
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const files = { private: join(folder, "service-account.key"), public: join(folder, "service-account.pub") };
  await writeFile(files.private, keys.privateKey, { mode: 0o600 });
  await writeFile(files.public, keys.publicKey);
  return files;
}

/** https://kubernetes.io/docs/reference/access-authn-authz/authentication/#static-token-file */
async function writeTokens(folder: string): Promise<{ tokens: Prepared["tokens"]; file: string }> {
  const file = join(folder, "tokens.csv");
  const token = () => randomBytes(24).toString("hex");
  const tokens = { admin: token(), scheduler: token(), controllerManager: token(), kwok: token() };
  const lines = [
    `${tokens.admin},admin,admin,"system:masters"`,
    `${tokens.kwok},kwok,kwok,"system:masters"`,
    `${tokens.scheduler},system:kube-scheduler,scheduler`,
    `${tokens.controllerManager},system:kube-controller-manager,controller-manager`,
  ];
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  return { tokens, file };
}
