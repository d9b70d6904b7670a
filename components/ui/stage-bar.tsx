import type { Stage } from "@/lib/model/stages.ts";
import { textureId } from "./stage-defs.tsx";
import { stageGlyph } from "./stage-glyph.ts";

const OUTLINE = {
  none: "",
  solid: "border-[1.5px] border-current",
  dashed: "border-[1.5px] border-dashed border-current",
} as const;

/**
 * One part of a stacked bar, as wide as its share: `gpus` against those of its siblings in a flex row. The outline lies
 * inside, so that it takes no width and the same part lines up in all four lanes.
 */
export function StageBar({ stage, gpus, title }: { stage: Stage; gpus: number; title: string }) {
  const glyph = stageGlyph(stage);
  return (
    <span
      title={title}
      className={`relative block h-full min-w-[3px] basis-0 overflow-hidden rounded-[2px] ${glyph.hue}`}
      style={{ flexGrow: gpus }}
    >
      <svg className="absolute inset-0 size-full" aria-hidden="true">
        <rect width="100%" height="100%" fill={`url(#${textureId(stage)})`} />
      </svg>
      <span className={`absolute inset-0 rounded-[2px] ${OUTLINE[glyph.outline]}`} />
    </span>
  );
}

/** The part of a bar whose stage cannot be told. */
export function UnknownBar({ gpus, title }: { gpus: number; title: string }) {
  return (
    <span title={title} className="relative block h-full min-w-[3px] basis-0" style={{ flexGrow: gpus }}>
      <span className="untold absolute inset-0 rounded-[2px]" />
    </span>
  );
}
