/** Watches are asked to end after 5 to 10 minutes, so that reconnects spread over the servers. */
const SHORTEST_SECONDS = 300;

/**
 * The query of a watch from `version` on; without one, of a watch that begins with everything that is there.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists
 */
export function watchQuery(
  version: string | undefined,
  random: () => number,
  fieldSelector?: string,
): string {
  const query = new URLSearchParams({ watch: "true", allowWatchBookmarks: "true" });
  query.set("timeoutSeconds", String(Math.floor(SHORTEST_SECONDS * (1 + random()))));
  if (fieldSelector !== undefined) query.set("fieldSelector", fieldSelector);
  if (version !== undefined) query.set("resourceVersion", version);
  else {
    query.set("sendInitialEvents", "true");
    query.set("resourceVersionMatch", "NotOlderThan");
  }
  return query.toString();
}
