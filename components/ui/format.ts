import type { Certainty, Figure, Money } from "@/lib/model/money.ts";

/** Everything the page prints as a number goes through here: units on every number, en-US digits, times in UTC. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `$1,652`, `$33.0`, `$4.12`: fewer digits the larger it is. `sign`: prints `−` or `+` before it. */
export function formatMoney(money: Money, options: { readonly sign?: "−" | "+" } = {}): string {
  const amount = money.micros / 1_000_000;
  return `${options.sign ?? ""}${currencyFormat(money.currency, digitsFor(Math.abs(amount)))(amount)}`;
}

function digitsFor(amount: number): number {
  if (amount === 0 || amount >= 99.95) return 0;
  return amount >= 9.995 ? 1 : 2;
}

/** A currency that Intl refuses (no three letters) is printed as it came. */
function currencyFormat(currency: string, digits: number): (amount: number) => string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  try {
    const format = new Intl.NumberFormat("en-US", { ...options, style: "currency", currency });
    return (amount) => format.format(amount);
  } catch {
    const format = new Intl.NumberFormat("en-US", options);
    return (amount) => `${format.format(amount)} ${currency}`;
  }
}

/** The sign before an amount: none where it is known, `≈` where neither bound holds. */
export function certaintySign(certainty: Certainty): string {
  if (certainty === "=") return "";
  return certainty === "?" ? "≈ " : `${certainty} `;
}

/** `$391/h`, `≥ $391/h`, `€12.0/h + $391/h`; `price unknown` where GPUs have no price, `0/h` where there are none. */
export function formatPerHour(figure: Pick<Figure, "perHour" | "certainty">): string {
  if (figure.perHour.length === 0) return figure.certainty === "=" ? "0/h" : "price unknown";
  const sum = figure.perHour.map((money) => `${formatMoney(money)}/h`).join(" + ");
  return `${certaintySign(figure.certainty)}${sum}`;
}

/** `8 GPUs`, `1 GPU`; `? GPUs` where the count cannot be told. */
export function formatGpus(gpus: number | null): string {
  return `${formatCount(gpus)} ${gpus === 1 ? "GPU" : "GPUs"}`;
}

/** `19,999`; `?` where it cannot be told. */
export function formatCount(count: number | null): string {
  return count === null ? "?" : count.toLocaleString("en-US");
}

/** A duration in its two largest units: `12 s`, `41 m`, `3 h 12 m`, `2 d 4 h`. Below zero (clock skew) is `0 s`. */
export function formatAge(milliseconds: number): string {
  if (milliseconds < MINUTE) return `${Math.max(0, Math.floor(milliseconds / 1000))} s`;
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} m`;
  if (milliseconds < DAY) return twoUnits(milliseconds, HOUR, "h", MINUTE, "m");
  return twoUnits(milliseconds, DAY, "d", HOUR, "h");
}

function twoUnits(milliseconds: number, unit: number, name: string, part: number, partName: string): string {
  const rest = Math.floor((milliseconds % unit) / part);
  return `${Math.floor(milliseconds / unit)} ${name}${rest > 0 ? ` ${rest} ${partName}` : ""}`;
}

/** Age of an ISO time at `now` (epoch ms); `unknown` where the time is. */
export function formatSince(since: string | null, now: number): string {
  return since === null ? "unknown" : formatAge(now - Date.parse(since));
}

/** `2026-12-01 11:19:04 UTC`, for tooltips. */
export function formatTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** A share of 1 as `24 %`; never `0 %` or `100 %` unless it is exactly that. `–` where it cannot be told. */
export function formatPercent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return "–";
  if (share > 0 && share < 0.01) return "< 1 %";
  if (share < 1 && share > 0.99) return "> 99 %";
  return `${Math.round(share * 100)} %`;
}
