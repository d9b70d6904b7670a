const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?Z$/;

/**
 * A copy of `value` in which every string that is a UTC time (as Kubernetes writes them: `2026-12-01T12:00:00Z`, or
 * with a fraction) lies `by` milliseconds later. `by` is cut to whole seconds, which is what Kubernetes' times have.
 */
export function shiftTimes<T>(value: T, by: number): T {
  const whole = Math.floor(by / 1_000) * 1_000;
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === "string" ? shiftTime(member, whole) : member,
  );
}

function shiftTime(text: string, by: number): string {
  const [, seconds, fraction = ""] = TIME.exec(text) ?? [];
  const at = Date.parse(`${seconds}Z`);
  if (Number.isNaN(at)) return text;
  return `${new Date(at + by).toISOString().slice(0, 19)}${fraction}Z`;
}
