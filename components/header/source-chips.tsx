import { foldKinds } from "@/components/fold-kinds.ts";
import { Age } from "@/components/ui/age.tsx";
import type { SourceView } from "@/lib/model/fleet-view.ts";
import { type Dot, type SourceChip, sourceChip, sumUp } from "./source-words.ts";

const DOT: Readonly<Record<Dot, string>> = {
  live: "bg-good",
  old: "border-2 border-warn",
  none: "border-[1.5px] border-dashed border-ink-3",
};

/** Each source with its state and age; on a phone only those with trouble. */
export function SourceChips({
  sources,
  heard,
}: {
  sources: readonly SourceView[];
  /** The server still tells. */
  heard: boolean;
}) {
  const { named, fine, detail } = sumUp(foldKinds(sources).map((source) => sourceChip(source, heard)));
  return (
    <ul aria-label="Sources" className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-ink-2">
      {fine > 0 && (
        <li className="flex items-center gap-1.5 whitespace-nowrap max-md:hidden" title={detail}>
          <DotMark dot="live" />
          {fine} {fine === 1 ? "source" : "sources"} <span className="text-ink-3">fine</span>
        </li>
      )}
      {named.map((chip) => (
        <Chip key={`${chip.id} ${chip.word}`} chip={chip} />
      ))}
    </ul>
  );
}

function Chip({ chip }: { chip: SourceChip }) {
  return (
    <li
      title={chip.detail}
      className={`flex items-center gap-1.5 whitespace-nowrap ${chip.trouble ? "" : "max-md:hidden"}`}
    >
      <DotMark dot={chip.trouble && chip.dot === "live" ? "old" : chip.dot} />
      <span className="max-w-40 truncate">{chip.name}</span>
      <span className={chip.trouble ? "text-warn" : "text-ink-3"}>
        {chip.word}
        {chip.since !== null && (
          <>
            {chip.trouble ? ", " : " "}
            <Age since={chip.since} />
          </>
        )}
      </span>
    </li>
  );
}

function DotMark({ dot }: { dot: Dot }) {
  return <span aria-hidden="true" className={`size-[7px] shrink-0 rounded-full ${DOT[dot]}`} />;
}
