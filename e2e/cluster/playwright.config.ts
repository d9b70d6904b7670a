import { defineConfig } from "@playwright/test";
import base from "../../playwright.config.ts";
import type { RigName } from "./rig.ts";

/** What only real kubelets can show. */
const kubelets = "kubelet*.spec.ts";

export default defineConfig<object, { rig: RigName }>({
  ...base,
  testDir: ".",
  testIgnore: [],
  // Real machines have bad moments. What passes at the second try only is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  outputDir: "../../test-results",
  preserveOutput: "failures-only",
  timeout: 240_000,
  // The node controller takes its time to give a node up, and so does a kubelet.
  expect: { timeout: 60_000 },
  projects: [
    { name: "processes", use: { rig: "processes" }, testIgnore: [kubelets] },
    { name: "kind", use: { rig: "kind" }, testMatch: ["walk-through.spec.ts", kubelets] },
  ],
});
