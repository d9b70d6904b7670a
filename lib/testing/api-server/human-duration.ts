const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Below which duration -> the unit that is shown, and the smaller one beside it. As kubectl prints ages. */
const STEPS: readonly (readonly [
  below: number,
  unit: number,
  name: string,
  rest?: number,
  restName?: string,
])[] = [
  [2 * MINUTE, SECOND, "s"],
  [10 * MINUTE, MINUTE, "m", SECOND, "s"],
  [3 * HOUR, MINUTE, "m"],
  [8 * HOUR, HOUR, "h", MINUTE, "m"],
  [2 * DAY, HOUR, "h"],
  [8 * DAY, DAY, "d", HOUR, "h"],
  [2 * YEAR, DAY, "d"],
  [8 * YEAR, YEAR, "y", DAY, "d"],
  [Number.POSITIVE_INFINITY, YEAR, "y"],
];

/** How long ago an RFC 3339 time is at `now` (epoch milliseconds), e.g. `5d3h`; `<unknown>` where it is no time. */
export function ageOf(time: string, now: number): string {
  const age = Math.max(0, now - Date.parse(time));
  const step = STEPS.find(([below]) => age < below);
  if (!step) return "<unknown>";
  const [, unit, name, rest, restName] = step;
  const more = rest === undefined ? 0 : Math.floor((age % unit) / rest);
  return `${Math.floor(age / unit)}${name}${more > 0 ? `${more}${restName}` : ""}`;
}
