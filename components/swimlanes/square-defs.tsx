import type { ReactNode } from "react";
import { stageGlyph } from "@/components/ui/stage-glyph.ts";
import { symbolId } from "@/components/ui/stage-swatch.tsx";
import { STAGES } from "@/lib/model/stages.ts";
import type { Look } from "./cell-looks.ts";

/** Px between two squares of a node. A whole number, as all sizes here: half pixels blur. */
export const squareGap = (square: number): number => (square > 12 ? 3 : 2);

/** Id of the pattern that fills a run of squares of one look. */
export const squareId = (look: Look): string => `squares-${look}`;

/** One repeating square for each look, so that a whole node is drawn with one rectangle. */
export function SquareDefs({ square }: { square: number }) {
  const tile = square + squareGap(square);
  const rounding = square > 12 ? 3 : 1.5;
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true" focusable="false">
      <defs>
        <SquarePattern look="ok" tile={tile} hue="hue-ok">
          <rect width={square} height={square} rx={rounding} fill="currentColor" />
        </SquarePattern>
        <SquarePattern look="ghost" tile={tile} hue="hue-ghost">
          <rect width={square} height={square} rx={rounding} fill="currentColor" />
        </SquarePattern>
        <SquarePattern look="unknown" tile={tile} hue="text-ink-3">
          <rect
            x="0.75"
            y="0.75"
            width={square - 1.5}
            height={square - 1.5}
            rx={rounding}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeDasharray="1.5 1.5"
          />
        </SquarePattern>
        {STAGES.map(({ stage }) => (
          <SquarePattern key={stage} look={stage} tile={tile} hue={stageGlyph(stage).hue}>
            <use href={`#${symbolId(stage)}`} width={square} height={square} />
          </SquarePattern>
        ))}
      </defs>
    </svg>
  );
}

function SquarePattern({
  look,
  tile,
  hue,
  children,
}: {
  look: Look;
  tile: number;
  hue: string;
  children: ReactNode;
}) {
  return (
    <pattern id={squareId(look)} width={tile} height={tile} patternUnits="userSpaceOnUse" className={hue}>
      {children}
    </pattern>
  );
}
