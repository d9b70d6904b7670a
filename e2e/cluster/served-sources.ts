import type { FleetView } from "../../lib/model/fleet-view.ts";
import { expect } from "./cluster-test.ts";
import type { Cluster } from "./rig.ts";

/**
 * Waits until each of these kinds (`PLURAL.GROUP`) is followed, and checks with the audit log that it is read in that
 * version and in no other.
 */
export async function expectServed(
  cluster: Cluster,
  view: () => Promise<FleetView>,
  versions: Readonly<Record<string, string>>,
): Promise<void> {
  const kinds = Object.keys(versions);
  const states = async () => {
    const { sources } = await view();
    return kinds.map((kind) => sources.find(({ id }) => id === `kubernetes/${kind}`)?.state);
  };
  // Kinds that appear late are looked for twice a minute.
  await expect.poll(states).toEqual(kinds.map(() => "live"));
  const asked = (await cluster.auditLog()).flatMap(({ resource, uri }) =>
    kinds.includes(resource) ? `${resource} ${uri.split("/")[3]}` : [],
  );
  expect([...new Set(asked)].sort()).toEqual(kinds.map((kind) => `${kind} ${versions[kind]}`).sort());
}
