import { LAYER_INFO, type Layer } from "@/lib/model/stages.ts";

const SOFT: Readonly<Record<Layer, string>> = {
  L1: "bg-l1-soft text-l1",
  L2: "bg-l2-soft text-l2",
  L3: "bg-l3-soft text-l3",
  L4: "bg-l4-soft text-l4",
};

const SOLID: Readonly<Record<Layer, string>> = {
  L1: "bg-l1 text-on-layer",
  L2: "bg-l2 text-on-layer",
  L3: "bg-l3 text-on-layer",
  L4: "bg-l4 text-on-layer",
};

/** A layer's short name in its hue. */
export function LayerTag({ layer, tone = "soft" }: { layer: Layer; tone?: "soft" | "solid" }) {
  return (
    <abbr
      title={LAYER_INFO[layer].title}
      className={`inline-block shrink-0 rounded px-[5px] text-[10.5px] font-[650] leading-4 no-underline ${tone === "solid" ? SOLID[layer] : SOFT[layer]}`}
    >
      {layer}
    </abbr>
  );
}
