import type { Reservation } from "../../../model/reservation.ts";
import { lastPart, regionOfZone, resourcePath } from "./resource-path.ts";

/** What tells where a resource is; `collection` is what its kind is called in a path. */
export interface Located {
  readonly name: string;
  readonly selfLink: string | undefined;
  readonly zone: string | undefined;
  readonly collection: "reservations" | "futureReservations";
}

/** Its id and place: by its own link, else by its zone's, else as far as it says. */
export function locationOf({
  name,
  selfLink,
  zone,
  collection,
}: Located): Pick<Reservation, "id" | "account" | "zone" | "region"> {
  const own = resourcePath(selfLink);
  const around = own ?? resourcePath(zone);
  const id = own?.id ?? (around ? `${around.id}/${collection}/${name}` : name);
  const place = around?.zone ?? (zone === undefined ? undefined : lastPart(zone));
  return { id, account: around?.project, zone: place, region: place && regionOfZone(place) };
}
