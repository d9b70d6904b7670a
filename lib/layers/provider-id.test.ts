import { expect, it } from "vitest";
import { type ProviderId, parseProviderId } from "./provider-id.ts";

const SUB = "subscriptions/s-1/resourceGroups/MC_rg/providers/Microsoft.Compute";
const parsed = (provider: string, machines: string[], place: Partial<ProviderId> = {}): ProviderId => {
  return { provider, region: undefined, zone: undefined, machines, ...place };
};

it.each<[string | undefined, ProviderId | undefined]>([
  [
    "aws:///us-east-2a/i-0aa",
    parsed("aws", ["i-0aa", "us-east-2a/i-0aa", "/us-east-2a/i-0aa"], {
      region: "us-east-2",
      zone: "us-east-2a",
    }),
  ],
  [
    "aws:///us-east-1-bos-1a/i-1",
    parsed("aws", ["i-1", "us-east-1-bos-1a/i-1", "/us-east-1-bos-1a/i-1"], {
      region: "us-east-1",
      zone: "us-east-1-bos-1a",
    }),
  ],
  [
    "gce://my-proj/us-central1-a/gke-b200-1",
    parsed("gcp", ["gke-b200-1", "my-proj/us-central1-a/gke-b200-1", "/my-proj/us-central1-a/gke-b200-1"], {
      region: "us-central1",
      zone: "us-central1-a",
    }),
  ],
  [
    `azure:///${SUB}/virtualMachines/VM-1`,
    parsed("azure", [
      "vm-1",
      `${SUB}/virtualMachines/VM-1`.toLowerCase(),
      `/${SUB}/virtualMachines/VM-1`.toLowerCase(),
    ]),
  ],
  // The number of a machine in its scale set names no machine.
  [
    `azure:///${SUB}/virtualMachineScaleSets/aks-a100/virtualMachines/0`,
    parsed("azure", [
      `${SUB}/virtualMachineScaleSets/aks-a100/virtualMachines/0`.toLowerCase(),
      `/${SUB}/virtualMachineScaleSets/aks-a100/virtualMachines/0`.toLowerCase(),
    ]),
  ],
  ["ocid1.instance.oc1.phx.AAAA", parsed("oci", ["ocid1.instance.oc1.phx.aaaa"], { region: "phx" })],
  ["oci://ocid1.instance.oc1.iad.b", parsed("oci", ["ocid1.instance.oc1.iad.b"], { region: "iad" })],
  [
    "nebius://computeinstance-e00",
    parsed("nebius", ["computeinstance-e00", "computeinstance-e00", "/computeinstance-e00"]),
  ],
  ["crusoe://4f-1", parsed("crusoe", ["4f-1", "4f-1", "/4f-1"])],
  ["kind://docker/kind/worker", parsed("kind", ["worker", "docker/kind/worker", "/docker/kind/worker"])],
  ["", undefined],
  ["no scheme", undefined],
  [undefined, undefined],
])("%s", (id, expected) => {
  expect(parseProviderId(id)).toEqual(expected);
});
