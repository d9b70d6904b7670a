import type { Stage } from "@/lib/model/stages.ts";
import { stageGlyph } from "./stage-glyph.ts";

/** Id of a stage's symbol in `StageDefs`. */
export const symbolId = (stage: Stage): string => `stage-${stage}`;

/** A legend's key: the square as the lanes draw it. Needs `StageDefs` once on the page. */
export function StageSwatch({ stage, size = 10 }: { stage: Stage; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      aria-hidden="true"
      className={`inline-block shrink-0 align-[-1px] ${stageGlyph(stage).hue}`}
    >
      <use href={`#${symbolId(stage)}`} />
    </svg>
  );
}
