import { describe, expect, it } from "vitest";
import { type Config, readConfig } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { NO_SETTINGS } from "./config-file.ts";

const DEMOS = ["fleet", "layers"];
type Env = Readonly<Record<string, string | undefined>>;

const DEFAULTS: Config = {
  host: "127.0.0.1",
  port: 3000,
  allowedHosts: [],
  source: { kind: "cluster" },
  reservationFiles: [],
  acceleratorNames: [],
  settings: NO_SETTINGS,
};

describe("readConfig", () => {
  it.each<[string, Env, Partial<Config>]>([
    ["nothing", {}, {}],
    ["empty variables", { PORT: "", HOST: " ", SEAMLINE_DEMO: "", SEAMLINE_SNAPSHOT: "" }, {}],
    ["what is not ours", { PATH: "/bin", KUBECONFIG: "/x", NODE_ENV: "production" }, {}],
    ["a port", { PORT: "8080" }, { port: 8080 }],
    ["any free port", { PORT: "0" }, { port: 0 }],
    ["localhost", { HOST: "localhost" }, { host: "localhost" }],
    ["another loopback address", { HOST: "127.1.2.3" }, { host: "127.1.2.3" }],
    ["IPv6 loopback in brackets", { HOST: "[::1]" }, { host: "::1" }],
    [
      "an open address, allowed",
      { HOST: "0.0.0.0", SEAMLINE_ALLOW_UNAUTHENTICATED: "1" },
      { host: "0.0.0.0" },
    ],
    ["host names", { SEAMLINE_HOSTS: "A.example, b" }, { allowedHosts: ["a.example", "b"] }],
    ["a snapshot", { SEAMLINE_SNAPSHOT: "dir" }, { source: { kind: "snapshot", path: "dir" } }],
    ["a demo", { SEAMLINE_DEMO: "layers" }, { source: { kind: "demo", name: "layers" } }],
    [
      "a snapshot before a demo",
      { SEAMLINE_SNAPSHOT: "dir", SEAMLINE_DEMO: "layers" },
      { source: { kind: "snapshot", path: "dir" } },
    ],
    [
      "reservation files",
      { SEAMLINE_RESERVATIONS: "a.yaml,, b.json ," },
      { reservationFiles: ["a.yaml", "b.json"] },
    ],
    [
      "accelerators",
      { SEAMLINE_GPU_RESOURCES: "example.com/npu" },
      { acceleratorNames: ["example.com/npu"] },
    ],
  ])("takes %s", (_name, env, expected) => {
    expect(readConfig(env, DEMOS)).toEqual({ ...DEFAULTS, ...expected });
  });

  it.each<[string, Env, RegExp]>([
    ["a word as port", { PORT: "http" }, /^PORT: expected a whole number from 0 to 65535, got "http"$/],
    ["a port out of range", { PORT: "65536" }, /^PORT: /],
    ["a negative port", { PORT: "-1" }, /^PORT: /],
    ["a fraction of a port", { PORT: "80.5" }, /^PORT: /],
    [
      "an unknown demo",
      { SEAMLINE_DEMO: "flet" },
      /^SEAMLINE_DEMO: expected one of fleet, layers, got "flet"$/,
    ],
    ["an address with a port", { HOST: "127.0.0.1:80" }, /^HOST: expected an address or a host name/],
    [
      "accelerators without a domain",
      { SEAMLINE_GPU_RESOURCES: "gpu" },
      /^SEAMLINE_GPU_RESOURCES: expected resource names/,
    ],
    [
      "an open address",
      { HOST: "0.0.0.0" },
      /^HOST: "0.0.0.0" is not a loopback .*SEAMLINE_ALLOW_UNAUTHENTICATED=1/,
    ],
    ["an open IPv6 address", { HOST: "::" }, /^HOST: "::" is not a loopback/],
    ["a name", { HOST: "localhost.example" }, /^HOST: .* is not a loopback/],
    [
      "an address that only looks like loopback",
      { HOST: "127.0.0.1.example" },
      /^HOST: .* is not a loopback/,
    ],
    [
      "a half-hearted yes",
      { HOST: "0.0.0.0", SEAMLINE_ALLOW_UNAUTHENTICATED: "0" },
      /^HOST: .* is not a loopback/,
    ],
    ["two mistakes", { PORT: "x", SEAMLINE_DEMO: "y" }, /^PORT: .*\nSEAMLINE_DEMO: .*$/],
  ])("refuses %s", (_name, env, message) => {
    expect(() => readConfig(env, DEMOS)).toThrow(ConfigError);
    expect(() => readConfig(env, DEMOS)).toThrow(message);
  });
});
