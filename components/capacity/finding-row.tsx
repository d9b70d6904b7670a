import { Age } from "@/components/ui/age.tsx";
import { Contact } from "@/components/ui/contact.tsx";
import { Countdown } from "@/components/ui/countdown.tsx";
import { FigureCost } from "@/components/ui/figure-cost.tsx";
import { formatGpus } from "@/components/ui/format.ts";
import { LinkedText } from "@/components/verdict/linked-text.tsx";
import { SelectionLink } from "@/components/verdict/selection-link.tsx";
import type { FindingView, PoolView } from "@/lib/model/fleet-view.ts";
import { endWord, isEnding } from "./announced-pools.ts";
import { FINDING_WORD } from "./reservation-words.ts";

/** One finding: what it costs, what is so, where, whose move it is, since or until when. `pool`: the one that it is about. */
export function FindingRow({ finding, pool }: { finding: FindingView; pool: PoolView | undefined }) {
  const { kind, reservation, owner, contact, since, until, perHour, certainty } = finding;
  const isUnpriced = perHour.length === 0 && certainty !== "=";
  return (
    <li className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 border-t border-line-soft px-4 py-2.5">
      <div className="text-right tabular-nums">
        <FigureCost figure={finding} />
        <p className="text-2xs text-ink-2">{formatGpus(finding.gpus)}</p>
        {isUnpriced && <p className="text-2xs text-ink-2">price unknown</p>}
      </div>
      <div className="min-w-0">
        <h3 className="font-[560]">
          <span
            className={`mr-1 inline-block rounded px-[5px] text-[10.5px] font-[650] leading-4 ${isEnding(finding) ? "bg-warn-soft text-warn" : "bg-l1-soft text-l1"}`}
          >
            {FINDING_WORD[kind]}
          </span>{" "}
          {finding.title}
        </h3>
        <p className="text-xs wrap-anywhere text-ink-2">
          <LinkedText
            text={finding.detail}
            objects={finding.objects}
            objectCount={finding.objectCount}
            more={{ kind: "pool", id: finding.pool }}
          />
        </p>
        <p className="text-xs wrap-anywhere text-ink-3">
          <SelectionLink to={{ kind: "pool", id: finding.pool }} className="underline decoration-line">
            {pool?.name ?? reservation}
          </SelectionLink>
          {` · ${owner}`}
          {contact !== null && <Contact contact={contact} />}
          {since !== null && (
            <>
              {" · since "}
              <Age since={since} />
            </>
          )}
          {until !== null && (
            <>
              {" · "}
              <span className="text-warn">
                {isEnding(finding) ? endWord(finding, pool) : "until"} <Countdown until={until} />
              </span>
            </>
          )}
        </p>
      </div>
    </li>
  );
}
