import { isIP } from "node:net";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { NO_SETTINGS, readConfigFile, type Settings } from "./config-file.ts";
import { isLoopback } from "./loopback.ts";

/** What the environment asks for. */
export interface Config {
  /** Address or name to listen on, without brackets. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Names besides loopback and `host` under which browsers may ask for the page. */
  readonly allowedHosts: readonly string[];
  readonly source: ConfiguredSource;
  /** Paths of files with reservations, those of the configuration file included. */
  readonly reservationFiles: readonly string[];
  /** Resource names that count as accelerators besides the built-in ones. */
  readonly acceleratorNames: readonly string[];
  /** What the configuration file says. */
  readonly settings: Settings;
}

export type ConfiguredSource =
  | { readonly kind: "snapshot"; readonly path: string }
  | { readonly kind: "demo"; readonly name: string }
  /** The service account's cluster, the kubeconfig's, or the default demo where there is neither. */
  | { readonly kind: "cluster" };

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ""),
  ); // prettier

const PORT_RANGE = "expected a whole number from 0 to 65535";

const host = z
  .string()
  .trim()
  .transform((text) => text.replace(/^\[(.*)\]$/, "$1"))
  .refine((text) => isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text), {
    error: "expected an address or a host name",
  });

/** Kubernetes' names of extended resources: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/ */
const resourceNames = list.refine((names) => names.every((name) => /^[\w.-]+\/[\w.-]+$/.test(name)), {
  error: "expected resource names such as example.com/gpu, separated by commas",
});

/**
 * Reads the configuration from environment variables, empty ones counting as unset, and from the file that they name.
 *
 * @param demos names of the bundled demo clusters
 * @throws ConfigError
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  demos: readonly string[],
): Config {
  const schema = z.object({
    HOST: host.default("127.0.0.1"),
    PORT: z
      .string()
      .regex(/^\d{1,5}$/, { error: PORT_RANGE })
      .transform(Number)
      .refine((port) => port < 65_536, { error: PORT_RANGE })
      .default(3000),
    SEAMLINE_ALLOW_UNAUTHENTICATED: z.string().optional(),
    SEAMLINE_HOSTS: list,
    SEAMLINE_SNAPSHOT: z.string().optional(),
    SEAMLINE_DEMO: z
      .string()
      .refine((name) => demos.includes(name), { error: `expected one of ${demos.join(", ")}` })
      .optional(),
    SEAMLINE_CONFIG: z.string().trim().optional(),
    SEAMLINE_RESERVATIONS: list,
    SEAMLINE_GPU_RESOURCES: resourceNames,
  });
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const read = schema.safeParse(given);
  if (!read.success) {
    const lines = read.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return `${name}: ${message}, got ${JSON.stringify(given[name])}`;
    });
    throw new ConfigError(lines.join("\n"));
  }
  const values = read.data;
  if (!isLoopback(values.HOST) && values.SEAMLINE_ALLOW_UNAUTHENTICATED !== "1")
    throw refusedHost(values.HOST);
  const settings =
    values.SEAMLINE_CONFIG === undefined ? NO_SETTINGS : readConfigFile(values.SEAMLINE_CONFIG);
  return {
    host: values.HOST,
    port: values.PORT,
    allowedHosts: values.SEAMLINE_HOSTS.map((name) => name.toLowerCase()),
    source: configuredSource(values.SEAMLINE_SNAPSHOT, values.SEAMLINE_DEMO),
    reservationFiles: [...values.SEAMLINE_RESERVATIONS, ...settings.reservationFiles],
    acceleratorNames: values.SEAMLINE_GPU_RESOURCES,
    settings,
  };
}

function configuredSource(snapshot: string | undefined, demo: string | undefined): ConfiguredSource {
  if (snapshot !== undefined) return { kind: "snapshot", path: snapshot };
  if (demo !== undefined) return { kind: "demo", name: demo };
  return { kind: "cluster" };
}

function refusedHost(name: string): ConfigError {
  return new ConfigError(
    `HOST: ${JSON.stringify(name)} is not a loopback address. Seamline asks nobody who they are, so everyone who reaches that ` +
      "address would see the whole cluster. Leave HOST out, or set SEAMLINE_ALLOW_UNAUTHENTICATED=1 where the network itself keeps strangers out.",
  );
}
