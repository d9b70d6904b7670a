import type { Issue } from "../../../model/snapshot.ts";
import { fieldOf } from "./read-records.ts";

/** How providers say that a list goes on after this page. */
const NEXT = ["nextPageToken", "next_page_token", "nextLink", "opc-next-page"];

/** What has to be said of one page out of several. */
export function incomplete(document: unknown, source: string): Issue[] {
  if (!NEXT.some((key) => fieldOf(document, key))) return [];
  const message = "the list goes on after this page: what is on the next ones is not known";
  return [{ code: "ReservationsIncomplete", severity: "warning", message, source }];
}
