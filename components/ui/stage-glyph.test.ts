import { expect, it } from "vitest";
import { STAGES } from "@/lib/model/stages.ts";
import { stageGlyph } from "./stage-glyph.ts";

it("gives every stage a texture of its own, so that colour is never needed", () => {
  const textures = STAGES.map(({ stage }) => {
    const { base, outline, mark } = stageGlyph(stage);
    return `${base} ${outline} ${mark}`;
  });
  expect(new Set(textures).size).toBe(STAGES.length);
});

it("gives every stage its layer's hue, and grey to what works", () => {
  for (const { stage, layer } of STAGES) {
    expect(stageGlyph(stage).hue).toBe(stage === "working" ? "hue-ok" : `hue-${layer}`);
  }
});
