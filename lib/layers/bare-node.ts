import type { NodeRecord } from "../model/kubernetes.ts";

/** A node of which nothing is known: what a machine has that is not one yet is put in its place. */
export const BARE_NODE: NodeRecord = {
  name: "",
  uid: "",
  labels: {},
  createdAt: undefined,
  deletedAt: undefined,
  problems: [],
  providerId: undefined,
  unschedulable: false,
  taints: [],
  capacity: undefined,
  allocatable: undefined,
  conditions: [],
  kubeletVersion: undefined,
};
