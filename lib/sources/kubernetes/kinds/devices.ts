import type {
  AllocatedDevice,
  DeviceClassRecord,
  DeviceRecord,
  DeviceRequest,
  DeviceWish,
  ResourceClaimRecord,
  ResourceSliceRecord,
} from "../../../model/facts/devices.ts";
import {
  type Problems,
  type RawObject,
  rawInteger,
  rawList,
  rawMap,
  rawObject,
  rawOptionalText,
  rawText,
} from "../raw.ts";
import { rawResources } from "../raw-resources.ts";
import { type FactKind, factObject } from "./fact-kind.ts";

function normalizeSlice(value: unknown): ResourceSliceRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const pool = rawMap(spec.pool, "spec.pool", problems);
  const driver = rawText(spec.driver, "spec.driver", problems);
  return {
    ...factObject(raw, "ResourceSlice", problems),
    driver,
    nodeName: rawOptionalText(spec.nodeName, "spec.nodeName", problems),
    pool: {
      name: rawText(pool.name, "spec.pool.name", problems),
      generation: rawInteger(pool.generation, "spec.pool.generation", problems),
      sliceCount: rawInteger(pool.resourceSliceCount, "spec.pool.resourceSliceCount", problems, 1),
    },
    devices: rawList(spec.devices, "spec.devices", problems).map((one) =>
      device(rawObject(one), driver, problems),
    ),
  };
}

/** v1beta1 and before keep the rest of a device under `basic`. */
function device(raw: RawObject, driver: string, problems: Problems): DeviceRecord {
  const rest = { ...rawObject(raw.basic), ...raw };
  const field = "spec.devices[]";
  const attributes = Object.entries(rawMap(rest.attributes, `${field}.attributes`, problems)).map(
    ([name, attribute]) => [name.replace(`${driver}/`, ""), attributeText(rawObject(attribute))] as const,
  );
  const amounts = Object.entries(rawMap(rest.capacity, `${field}.capacity`, problems)).map(
    // v1alpha3 has the bare quantity.
    ([name, amount]) => [name.replace(`${driver}/`, ""), rawObject(amount).value ?? amount] as const,
  );
  return {
    name: rawText(raw.name, `${field}.name`, problems),
    attributes: Object.fromEntries(attributes),
    capacity: rawResources(Object.fromEntries(amounts), `${field}.capacity`, problems),
    counterSets: rawList(rest.consumesCounters, `${field}.consumesCounters`, problems).map((one) =>
      rawText(rawObject(one).counterSet, `${field}.consumesCounters[].counterSet`, problems),
    ),
    taint: taintOf(rest, problems),
  };
}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#device-taints-and-tolerations */
function taintOf(raw: RawObject, problems: Problems): string | undefined {
  const taints = rawList(raw.taints, "spec.devices[].taints", problems).map(rawObject);
  const hard = taints.find(({ effect }) => effect === "NoSchedule" || effect === "NoExecute");
  return hard && rawOptionalText(hard.key, "spec.devices[].taints[].key", problems);
}

function attributeText({ string, int, bool, version }: RawObject): string {
  const found = string ?? int ?? bool ?? version;
  return typeof found === "string"
    ? found
    : found === undefined || found === null
      ? ""
      : JSON.stringify(found);
}

function normalizeClaim(
  kind: "ResourceClaim" | "ResourceClaimTemplate",
  value: unknown,
): ResourceClaimRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  const { devices } = kind === "ResourceClaim" ? spec : rawObject(spec.spec);
  const status = rawMap(raw.status, "status", problems);
  const { allocation } = status;
  return {
    ...factObject(raw, kind, problems),
    requests: rawList(rawObject(devices).requests, "spec.devices.requests", problems).map((request) =>
      deviceRequest(rawObject(request), problems),
    ),
    allocation:
      allocation === undefined || allocation === null
        ? undefined
        : allocated(rawObject(allocation), problems),
  };
}

/** v1 has `exactly`, v1beta1 its fields directly; both have `firstAvailable` for alternatives. */
function deviceRequest(raw: RawObject, problems: Problems): DeviceRequest {
  const alternatives = rawList(raw.firstAvailable, "spec.devices.requests[].firstAvailable", problems);
  const exactly = raw.exactly ?? raw;
  return {
    name: rawText(raw.name, "spec.devices.requests[].name", problems),
    alternatives: (alternatives.length > 0 ? alternatives : [exactly]).map((one) =>
      wish(rawObject(one), problems),
    ),
  };
}

function wish(raw: RawObject, problems: Problems): DeviceWish {
  const field = "spec.devices.requests[]";
  return {
    deviceClassName: rawText(raw.deviceClassName, `${field}.deviceClassName`, problems),
    count:
      raw.allocationMode === "All"
        ? undefined
        : Math.max(1, rawInteger(raw.count, `${field}.count`, problems, 1)),
    selectors: expressions(raw.selectors, `${field}.selectors`, problems),
    adminAccess: raw.adminAccess === true,
  };
}

function expressions(value: unknown, field: string, problems: Problems): readonly string[] {
  return rawList(value, field, problems).map((one) =>
    rawText(rawObject(rawObject(one).cel).expression, `${field}[].cel.expression`, problems),
  );
}

function allocated(allocation: RawObject, problems: Problems): readonly AllocatedDevice[] {
  const field = "status.allocation.devices.results";
  return rawList(rawObject(allocation.devices).results, field, problems)
    .map(rawObject)
    .map((result) => ({
      driver: rawText(result.driver, `${field}[].driver`, problems),
      pool: rawText(result.pool, `${field}[].pool`, problems),
      device: rawText(result.device, `${field}[].device`, problems),
      adminAccess: result.adminAccess === true,
    }));
}

function normalizeDeviceClass(value: unknown): DeviceClassRecord {
  const problems: Problems = [];
  const raw = rawObject(value);
  const spec = rawMap(raw.spec, "spec", problems);
  return {
    ...factObject(raw, "DeviceClass", problems),
    selectors: expressions(spec.selectors, "spec.selectors", problems),
    extendedResourceName: rawOptionalText(spec.extendedResourceName, "spec.extendedResourceName", problems),
  };
}

const VERSIONS = ["v1", "v1beta2", "v1beta1", "v1alpha3"];
const group = "resource.k8s.io";

/** Dynamic resource allocation. */
export const DEVICE_KINDS: readonly FactKind[] = [
  {
    fact: "resourceSlices",
    group,
    kind: "ResourceSlice",
    plural: "resourceslices",
    versions: VERSIONS,
    normalize: normalizeSlice,
  },
  {
    fact: "resourceClaims",
    group,
    kind: "ResourceClaim",
    plural: "resourceclaims",
    versions: VERSIONS,
    normalize: (raw) => normalizeClaim("ResourceClaim", raw),
  },
  {
    fact: "resourceClaims",
    group,
    kind: "ResourceClaimTemplate",
    plural: "resourceclaimtemplates",
    versions: VERSIONS,
    normalize: (raw) => normalizeClaim("ResourceClaimTemplate", raw),
  },
  {
    fact: "deviceClasses",
    group,
    kind: "DeviceClass",
    plural: "deviceclasses",
    versions: VERSIONS,
    normalize: normalizeDeviceClass,
  },
];
