import { expect, test } from "vitest";
import { vcpusOf } from "./instance-vcpus.ts";

test.each<[string, number | undefined]>([
  ["g4dn.xlarge", 4],
  ["g6f.large", 2],
  ["p5.48xlarge", 192],
  ["p6e-gb200.36xlarge", 144],
  ["u7i-12tb.224xlarge", 896],
  ["g4dn.metal", undefined],
  ["a2-highgpu-8g", 96],
  ["a2-megagpu-16g", 96],
  ["a3-highgpu-8g", 208],
  ["a4-highgpu-8g", 224],
  ["g2-standard-12", 12],
  ["Standard_NC6s_v3", 6],
  ["Standard_NC4as_T4_v3", 4],
  ["Standard_ND96isr_H100_v5", 96],
  ["Standard_NC6_Promo", 6],
  ["BM.GPU.H100.8", undefined],
  ["dgx-h100", undefined],
])("%s has %s vCPUs", (type, vcpus) => {
  expect(vcpusOf(type)).toBe(vcpus);
});
