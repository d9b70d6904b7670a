import { type Stage, stageInfo } from "@/lib/model/stages.ts";

/** How a stage looks: its layer's hue, and a texture that no other stage has, so that colour is never needed. */
export interface StageGlyph {
  /** `full` and `pale` fill the square, `none` leaves it open. */
  readonly base: "full" | "pale" | "none";
  readonly outline: "none" | "solid" | "dashed";
  readonly mark: "none" | "stripes" | "hole" | "slit" | "dot" | "cross" | "half";
  /** Class for the current colour. */
  readonly hue: string;
}

type Texture = Omit<StageGlyph, "hue">;

const TEXTURES: Readonly<Record<Stage, Texture>> = {
  "broken-at-provider": { base: "full", outline: "none", mark: "cross" },
  "not-launched": { base: "none", outline: "dashed", mark: "none" },
  elsewhere: { base: "pale", outline: "solid", mark: "none" },
  "not-registered": { base: "none", outline: "solid", mark: "half" },
  "not-ready": { base: "full", outline: "none", mark: "slit" },
  "not-advertised": { base: "pale", outline: "none", mark: "stripes" },
  unhealthy: { base: "pale", outline: "none", mark: "cross" },
  cordoned: { base: "pale", outline: "none", mark: "none" },
  stranded: { base: "none", outline: "solid", mark: "stripes" },
  held: { base: "none", outline: "solid", mark: "dot" },
  free: { base: "none", outline: "solid", mark: "none" },
  "not-working": { base: "full", outline: "none", mark: "hole" },
  working: { base: "full", outline: "none", mark: "none" },
};

const HUE = { L1: "hue-L1", L2: "hue-L2", L3: "hue-L3", L4: "hue-L4" } as const;

/** Hue and texture of `stage`. */
export function stageGlyph(stage: Stage): StageGlyph {
  return { ...TEXTURES[stage], hue: stage === "working" ? "hue-ok" : HUE[stageInfo(stage).layer] };
}
