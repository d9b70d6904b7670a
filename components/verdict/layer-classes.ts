import type { Layer } from "@/lib/model/stages.ts";

/** A box tinted by the layer at fault. */
export const LAYER_BOX: Readonly<Record<Layer, string>> = {
  L1: "border-l1/40 bg-l1-soft/45",
  L2: "border-l2/40 bg-l2-soft/45",
  L3: "border-l3/40 bg-l3-soft/45",
  L4: "border-l4/40 bg-l4-soft/45",
};

/** A layer's hue as a background. */
export const LAYER_FILL: Readonly<Record<Layer, string>> = {
  L1: "bg-l1 text-on-layer",
  L2: "bg-l2 text-on-layer",
  L3: "bg-l3 text-on-layer",
  L4: "bg-l4 text-on-layer",
};
