import { PricedRow } from "@/components/priced-row.tsx";
import { Age } from "@/components/ui/age.tsx";
import { Contact } from "@/components/ui/contact.tsx";
import { Countdown } from "@/components/ui/countdown.tsx";
import type { FindingView, PoolView } from "@/lib/model/fleet-view.ts";
import { endWord, isEnding } from "./announced-pools.ts";
import { FINDING_WORD } from "./reservation-words.ts";

/** One finding: what it costs, what is so, where, whose move it is, since or until when. `pool`: the one that it is about. */
export function FindingRow({ finding, pool }: { finding: FindingView; pool: PoolView | undefined }) {
  const { kind, reservation, contact, since, until, perHour, certainty } = finding;
  const isUnpriced = perHour.length === 0 && certainty !== "=";
  const look = isEnding(finding) ? "bg-warn-soft text-warn" : "bg-l1-soft text-l1";
  const tag = (
    <span className={`mr-1 inline-block rounded px-[5px] text-[10.5px] font-[650] leading-4 ${look}`}>
      {FINDING_WORD[kind]}
    </span>
  );
  return (
    <PricedRow
      of={finding}
      tag={tag}
      poolName={pool?.name ?? reservation}
      costNote={isUnpriced ? "price unknown" : undefined}
    >
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
    </PricedRow>
  );
}
