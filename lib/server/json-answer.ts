/** A JSON answer that nobody keeps. */
export function jsonAnswer(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}
