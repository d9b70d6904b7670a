import { describe, expect, test } from "vitest";
import type { Resources } from "../../model/kubernetes.ts";
import { effectiveRequests } from "./pod-requests.ts";
import type { Problems } from "./raw.ts";

const GPU = "nvidia.com/gpu";

const asks = (requests: object, limits?: object) => ({ resources: { requests, ...(limits && { limits }) } });
const sidecar = (requests: object) => ({ ...asks(requests), restartPolicy: "Always" });

describe("effectiveRequests", () => {
  test.each<[string, object, Resources]>([
    ["nothing asked for", {}, {}],
    ["no containers", { containers: [] }, {}],
    [
      "containers add up",
      { containers: [asks({ cpu: "1", [GPU]: "2" }), asks({ cpu: "500m", [GPU]: "1" })] },
      { cpu: 1_500, [GPU]: 3 },
    ],
    [
      "the largest init container, where it is larger",
      {
        containers: [asks({ cpu: "1", memory: "1Gi" })],
        initContainers: [asks({ cpu: "4" }), asks({ cpu: "2", memory: "512Mi" })],
      },
      { cpu: 4_000, memory: 2 ** 30 },
    ],
    [
      "an init container may hold the only GPU",
      { containers: [asks({ cpu: "1" })], initContainers: [asks({ [GPU]: "1" })] },
      { cpu: 1_000, [GPU]: 1 },
    ],
    [
      "sidecars add to the containers",
      { containers: [asks({ cpu: "1" })], initContainers: [sidecar({ cpu: "2" })] },
      { cpu: 3_000 },
    ],
    [
      "an init container runs beside the sidecars started before it",
      { containers: [asks({ cpu: "1" })], initContainers: [sidecar({ cpu: "2" }), asks({ cpu: "3" })] },
      { cpu: 5_000 },
    ],
    [
      "and not beside those started after it",
      { containers: [asks({ cpu: "1" })], initContainers: [asks({ cpu: "3" }), sidecar({ cpu: "2" })] },
      { cpu: 3_000 },
    ],
    [
      "two sidecars, an init container between them",
      {
        containers: [asks({ cpu: "1" })],
        initContainers: [sidecar({ cpu: "1" }), asks({ cpu: "9" }), sidecar({ cpu: "1" })],
      },
      { cpu: 10_000 },
    ],
    [
      "overhead comes on top",
      { containers: [asks({ cpu: "1" })], overhead: { cpu: "250m", memory: "120Mi" } },
      { cpu: 1_250, memory: 120 * 2 ** 20 },
    ],
    [
      "overhead comes on top of an init container too",
      { containers: [asks({ cpu: "1" })], initContainers: [asks({ cpu: "2" })], overhead: { cpu: "1" } },
      { cpu: 3_000 },
    ],
    [
      "the pod's own requests replace the sum for what they name",
      {
        containers: [asks({ cpu: "1", memory: "1Gi", [GPU]: "1" })],
        resources: { requests: { cpu: "3" } },
        overhead: { cpu: "1" },
      },
      { cpu: 4_000, memory: 2 ** 30, [GPU]: 1 },
    ],
    [
      "the pod's limits stand in only where nothing is requested",
      { containers: [asks({ cpu: "1" })], resources: { limits: { cpu: "8", memory: "2Gi" } } },
      { cpu: 1_000, memory: 2 ** 31 },
    ],
    [
      "limits alone are requests",
      { containers: [asks({}, { [GPU]: "4", cpu: "2" })] },
      { [GPU]: 4, cpu: 2_000 },
    ],
    [
      "requests win over limits",
      { containers: [asks({ cpu: "1" }, { cpu: "2", [GPU]: "1" })] },
      { cpu: 1_000, [GPU]: 1 },
    ],
  ])("%s", (_, spec, expected) => {
    const problems: Problems = [];
    expect(effectiveRequests({ ...spec }, problems)).toEqual({ ...expected, pods: 1 });
    expect(problems).toEqual([]);
  });

  test("leaves out what is no amount and says where it was", () => {
    const problems: Problems = [];
    const spec = {
      containers: [asks({ cpu: "1" }), asks({ [GPU]: "half", cpu: "-1" })],
      initContainers: [asks({ memory: "1GB" })],
      overhead: "much",
    };
    expect(effectiveRequests(spec, problems)).toEqual({ cpu: 1_000, pods: 1 });
    expect(problems.map(({ field }) => field)).toEqual([
      'spec.containers[1].resources.requests["nvidia.com/gpu"]',
      'spec.containers[1].resources.requests["cpu"]',
      'spec.initContainers[0].resources.requests["memory"]',
      "spec.overhead",
    ]);
  });
});
