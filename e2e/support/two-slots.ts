/** Two reserved slots for nodes with the label `pool`, $2 a GPU-hour, as a document of the generic record. */
export function twoSlots(pool: string, gpusPerInstance: number) {
  return {
    reservations: [
      {
        id: "lab",
        provider: "onprem",
        instanceType: "dgx",
        gpuModel: "H100",
        count: 2,
        gpusPerInstance,
        pricePerGpuHour: 2,
        currency: "USD",
        selector: { matchLabels: { pool } },
      },
    ],
  };
}
