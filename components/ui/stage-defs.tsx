import { STAGES } from "@/lib/model/stages.ts";
import { type StageGlyph, stageGlyph } from "./stage-glyph.ts";
import { symbolId } from "./stage-swatch.tsx";

/** Id of the pattern that fills a bar with a stage's texture. */
export const textureId = (stage: string): string => `texture-${stage}`;

/** The stages' squares and bar textures, defined once; everything else refers to them. */
export function StageDefs() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true" focusable="false">
      <defs>
        {STAGES.map(({ stage }) => {
          const glyph = stageGlyph(stage);
          return [
            <symbol key="square" id={symbolId(stage)} viewBox="0 0 10 10">
              <Base glyph={glyph} rounding={1.8} />
              <Outline outline={glyph.outline} />
              <Mark glyph={glyph} />
            </symbol>,
            <pattern
              key="texture"
              id={textureId(stage)}
              width="10"
              height="10"
              patternUnits="userSpaceOnUse"
              className={glyph.hue}
            >
              <Base glyph={glyph} rounding={0} />
              <Mark glyph={glyph} />
            </pattern>,
          ];
        })}
      </defs>
    </svg>
  );
}

function Base({ glyph, rounding }: { glyph: StageGlyph; rounding: number }) {
  if (glyph.base === "none") return null;
  const opacity = glyph.base === "pale" ? 0.45 : 1;
  return <rect width="10" height="10" rx={rounding} fill="currentColor" fillOpacity={opacity} />;
}

/** Dashed: corners only, the square is a place that nothing fills yet. */
function Outline({ outline }: { outline: StageGlyph["outline"] }) {
  switch (outline) {
    case "none":
      return null;
    case "solid":
      return (
        <rect
          x="0.95"
          y="0.95"
          width="8.1"
          height="8.1"
          rx="1.2"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.9"
        />
      );
    case "dashed":
      return (
        <path
          d="M0.9 3.7V0.9H3.7M6.3 0.9H9.1V3.7M9.1 6.3V9.1H6.3M3.7 9.1H0.9V6.3"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
        />
      );
    default:
      return outline satisfies never;
  }
}

function Mark({ glyph }: { glyph: StageGlyph }) {
  const ink = glyph.base === "full" ? "var(--color-panel)" : "currentColor";
  switch (glyph.mark) {
    case "none":
      return null;
    case "stripes":
      return <path d="M-1 6L6 -1M-1 11L11 -1M4 11L11 4" stroke={ink} strokeWidth="1.7" />;
    case "hole":
      return <rect x="3.2" y="3.2" width="3.6" height="3.6" rx="0.6" fill={ink} />;
    case "slit":
      return <rect x="2" y="4.1" width="6" height="1.8" fill={ink} />;
    case "dot":
      return <rect x="3.4" y="3.4" width="3.2" height="3.2" rx="0.6" fill={ink} />;
    case "cross":
      return <path d="M2.6 2.6L7.4 7.4M7.4 2.6L2.6 7.4" stroke={ink} strokeWidth="1.7" />;
    case "half":
      return <rect x="0" y="5.6" width="10" height="4.4" rx="0.8" fill={ink} />;
    default:
      return glyph.mark satisfies never;
  }
}
