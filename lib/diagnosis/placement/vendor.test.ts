import { expect, it } from "vitest";
import { vendorOf } from "./vendor.ts";

it.each([
  ["NVIDIA-H100-80GB-HBM3", "nvidia.com"],
  ["H100", "nvidia.com"],
  ["GB200", "nvidia.com"],
  ["a10g", "nvidia.com"],
  ["accelerator=nvidia-tesla-v100", "nvidia.com"],
  ["RTX-PRO-6000", "nvidia.com"],
  ["MI300X", "amd.com"],
  ["radeon-pro-v520", "amd.com"],
  ["GAUDI3", "habana.ai"],
  ["TRAINIUM2", "aws.amazon.com"],
  ["trn1.32xlarge", "aws.amazon.com"],
  ["cloud.google.com/gke-tpu-accelerator=tpu-v5-lite-podslice", "google.com"],
  ["gpu.intel.com/i915: 0", "gpu.intel.com"],
  ["k8s.amazonaws.com/accelerator=custom", undefined],
  ["", undefined],
])("%s", (text, prefix) => {
  expect(vendorOf(text)).toBe(prefix);
});
