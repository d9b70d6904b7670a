"use client";

import type { MouseEvent } from "react";
import { Age } from "@/components/ui/age.tsx";
import { formatCount, formatGpus } from "@/components/ui/format.ts";
import { Ladder } from "@/components/ui/ladder.tsx";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import { openSelection, selectionOf } from "@/lib/client/selection.ts";
import type { StuckView } from "@/lib/model/fleet-view.ts";

/** Hidden where the card is narrow: there a row says it all in two columns. */
export const WIDE = "@max-3xl:hidden";

/** One row. A click anywhere on it opens the verdict, as its link does for keyboards and new tabs. */
export function StuckTableRow({ entry, open }: { entry: StuckView; open: boolean }) {
  const { layer, reason, ladder, sentence, owner, gpus, since } = entry;
  const onClick = (event: MouseEvent) => {
    const onLink = event.target instanceof Element && event.target.closest("a") !== null;
    const selectsText = window.getSelection()?.isCollapsed === false;
    if (!onLink && !selectsText) openSelection(selectionOf(entry));
  };
  return (
    <tr
      onClick={onClick}
      className={`cursor-pointer border-t border-line-soft align-top ${open ? "bg-field" : "hover:bg-field/60"}`}
      aria-current={open ? "true" : undefined}
    >
      <td className="py-2.5 pl-4">
        <span className="inline-flex flex-wrap items-baseline gap-x-1.5 @3xl:flex-nowrap">
          <LayerTag layer={layer} />
          <span className="font-[560]">{reason}</span>
        </span>
        <span className="mt-1 block @3xl:hidden">
          <Ladder steps={ladder} layer={layer} />
        </span>
      </td>
      <td className="py-2.5 pr-4 pl-3 @3xl:w-[21%] @3xl:min-w-36 @3xl:pr-0">
        <WorkloadName entry={entry} />
        <span className="block text-xs text-ink-2 tabular-nums @3xl:hidden">
          {formatGpus(gpus)} · <Age since={since} /> · {owner}
        </span>
        <span className="mt-0.5 line-clamp-2 text-xs text-ink-2 @max-md:hidden @3xl:hidden" title={sentence}>
          {sentence}
        </span>
      </td>
      <td className={`py-2.5 pl-3 ${WIDE}`}>
        <Ladder steps={ladder} layer={layer} />
      </td>
      <td className={`py-2.5 pl-3 break-words text-ink-2 ${WIDE}`}>
        <span className="line-clamp-3" title={sentence}>
          {sentence}
        </span>
      </td>
      <td className={`py-2.5 pl-3 text-right tabular-nums ${WIDE}`}>{formatCount(gpus)}</td>
      <td className={`py-2.5 pl-3 text-right ${WIDE}`}>
        <Age since={since} />
      </td>
      <td className={`max-w-36 min-w-28 py-2.5 pr-4 pl-3 ${WIDE}`}>{owner}</td>
    </tr>
  );
}

/** The pod's name, or its workload's where the entry stands for several pods. */
function WorkloadName({ entry }: { entry: StuckView }) {
  const { namespace, name, kind, workload, count, gang } = entry;
  const owner = workload ? `${workload.kind} ${workload.name}` : kind;
  const several = count > 1 ? `${formatCount(count)} pods` : "";
  const placed = gang ? `${formatCount(gang.placed)} of ${formatCount(gang.size)} placed` : "";
  const isOwners = several !== "" && workload !== null;
  const parts = [isOwners ? workload.kind : owner, several, placed].filter(Boolean);
  return (
    <>
      <SelectionLink to={selectionOf(entry)} className="break-words">
        <span className="text-ink-3">{namespace}/</span>
        <wbr />
        <span className="font-[560]">{isOwners ? workload.name : name}</span>
      </SelectionLink>
      <span className="block text-xs break-words text-ink-2">{parts.join(" · ")}</span>
    </>
  );
}
