import { describe, expect, test } from "vitest";
import { aDevice } from "../testing/scheduling-facts.ts";
import { driverOf, selectsDevice } from "./device-selection.ts";

const offered = {
  driver: "gpu.nvidia.com",
  device: aDevice({
    attributes: {
      type: "gpu",
      productName: "NVIDIA L4",
      index: "0",
      "resource.kubernetes.io/pcieRoot": "pci0",
    },
    capacity: { memory: 24 * 2 ** 30 },
  }),
};

describe("what selects a device", () => {
  test.each([
    ["device.driver == 'gpu.nvidia.com'", true],
    ['device.driver == "gpu.amd.com"', false],
    ["device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'", true],
    ["device.attributes['gpu.nvidia.com'].type == 'mig'", false],
    ["device.attributes['gpu.nvidia.com'].type != 'mig'", true],
    ["device.attributes['gpu.nvidia.com'].index == 0", true],
    ["device.attributes['gpu.nvidia.com'].absent == 'x'", false],
    ["device.attributes['gpu.nvidia.com'].absent != 'x'", false],
    ["device.attributes['resource.kubernetes.io'].pcieRoot == 'pci0'", true],
    ["device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('20Gi')) >= 0", true],
    ["device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0", false],
    ["device.attributes['gpu.nvidia.com'].productName.lowerAscii().matches('.*l4.*')", undefined],
    ["device.driver == 'gpu.amd.com' || true", undefined],
    ["", undefined],
  ])("%s: %s", (selector, selects) => {
    expect(selectsDevice([selector], offered)).toBe(selects);
  });

  test("is every device where nothing selects", () => {
    expect(selectsDevice([], offered)).toBe(true);
  });

  test("is the driver that a class names", () => {
    expect(driverOf(["device.attributes['a'].b == 'c' && device.driver == 'gpu.amd.com'"])).toBe(
      "gpu.amd.com",
    );
    expect(driverOf(["device.driver != 'gpu.amd.com'"])).toBeUndefined();
  });
});
