const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * A copy of `value` in which every string that is a time lies `by` milliseconds later, and is written as before:
 * `2026-12-01T12:00:00Z` as Kubernetes does, with a fraction, or with a distance from UTC as the clouds do. `by` is cut
 * to whole seconds, which is what Kubernetes' times have.
 */
export function shiftTimes<T>(value: T, by: number): T {
  const whole = Math.floor(by / 1_000) * 1_000;
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === "string" ? shiftTime(member, whole) : member,
  );
}

function shiftTime(text: string, by: number): string {
  const [, seconds, fraction = "", zone] = TIME.exec(text) ?? [];
  const at = Date.parse(`${seconds}Z`);
  if (Number.isNaN(at)) return text;
  return `${new Date(at + by).toISOString().slice(0, 19)}${fraction}${zone}`;
}
