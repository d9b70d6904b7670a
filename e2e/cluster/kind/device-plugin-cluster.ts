import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";
import type { NodeOptions } from "../rig.ts";
import { DEVICE_PLUGIN } from "./device-plugin-image.ts";

/** What the sample device plugin advertises, and how many on each machine: it has both fixed. */
export const RESOURCE = "example.com/resource";
export const DEVICES = 2;

const machines = { pool: "gpu-reserved" };

/** One control plane and two reserved machines, where the device plugin is to run. */
export const DEVICE_PLUGIN_NODES: readonly NodeOptions[] = [
  { name: "devices-control-plane", role: "control-plane", labels: {} },
  { name: "devices-worker", role: "worker", labels: machines },
  { name: "devices-worker2", role: "worker", labels: machines },
];

/** The two machines at $2 a GPU-hour, as a document of the generic record. */
export const DEVICE_PLUGIN_RESERVATIONS = {
  reservations: [
    {
      id: "lab",
      provider: "onprem",
      instanceType: "sample-machine",
      count: 2,
      gpusPerInstance: DEVICES,
      pricePerGpuHour: 2,
      currency: "USD",
      selector: { matchLabels: machines },
    },
  ],
};

const NAME = "sample-device-plugin";

/** Where kubelets look for the sockets of device plugins. */
const SOCKETS = "/var/lib/kubelet/device-plugins";

/**
 * The DaemonSet of the device plugin.
 *
 * @param socketFolder where the plugin puts its socket; one that is not there makes it fail at once
 */
export function devicePlugin(image: string, socketFolder = SOCKETS): KubernetesObject {
  const labels = { app: NAME };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: NAME, namespace: "kube-system" },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: machines,
          terminationGracePeriodSeconds: 5,
          containers: [
            {
              name: "plugin",
              image,
              command: [DEVICE_PLUGIN],
              env: [{ name: "PLUGIN_SOCK_DIR", value: socketFolder }],
              volumeMounts: [
                { name: "sockets", mountPath: SOCKETS },
                // It makes a file here for each device that it hands out, which is mounted into the pod.
                { name: "devices", mountPath: "/tmp" },
              ],
            },
          ],
          volumes: [
            { name: "sockets", hostPath: { path: SOCKETS } },
            { name: "devices", hostPath: { path: "/tmp" } },
          ],
        },
      },
    },
  };
}

/** A pod that asks for one device and runs until it is deleted. */
export function trainer(name: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default" },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: "trainer",
          image: "busybox:1",
          command: ["sleep", "86400"],
          resources: { limits: { [RESOURCE]: "1" } },
        },
      ],
    },
  };
}
