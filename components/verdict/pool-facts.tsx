"use client";

import { useNow } from "@/lib/client/clock.tsx";
import type { PoolView, ReservationView } from "@/lib/model/fleet-view.ts";
import { Facts } from "./facts.tsx";
import { rateInWords } from "./rate-in-words.ts";
import { reservationFacts } from "./reservation-facts.ts";

const KINDS: Readonly<Record<PoolView["kind"], string>> = {
  reservation: "reservation",
  "node-pool": "node pool, on no reservation",
  "instance-type": "nodes of one instance type, on no reservation",
};

/** What a pool is paid by and at which rate; a reservation's dates and slots. */
export function PoolFacts({ pool }: { pool: PoolView }) {
  const now = useNow();
  const { reservation } = pool;
  return (
    <Facts
      facts={[
        ["kind", KINDS[pool.kind]],
        ["capacity type", pool.capacityType],
        ["rate", rateInWords(pool.rate)],
        ...(reservation ? reservationFacts(reservation, now) : []),
        ["billing rule", reservation && <DocLink doc={reservation.doc} />],
      ]}
    />
  );
}

/** The provider's page with the rule by which it bills. */
function DocLink({ doc }: Pick<ReservationView, "doc">) {
  if (doc === null || !doc.startsWith("https://")) return "no page of a provider";
  return (
    <a
      href={doc}
      target="_blank"
      rel="noreferrer"
      className="wrap-anywhere underline decoration-line underline-offset-2 hover:decoration-current"
    >
      {doc.replace("https://", "")}
    </a>
  );
}
