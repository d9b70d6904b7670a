/** Millionths of one unit of a currency, an integer: 1 USD is 1_000_000. */
export type Micros = number;

/** An amount in one currency; currencies are never converted into each other. */
export interface Money {
  /** ISO 4217 code as it was given, upper case. */
  readonly currency: string;
  readonly micros: Micros;
}

/** How sure a figure is: `=` known, `≥` at least, `≤` at most, `?` unknown. */
export type Certainty = "=" | "≥" | "≤" | "?";

/** A count of GPUs with what they cost an hour. */
export interface Figure {
  /** Whole physical GPUs; null where the count itself cannot be told. */
  readonly gpus: number | null;
  /** $/hour by currency, sorted by currency; empty where nothing is priced or there is nothing to price. */
  readonly perHour: readonly Money[];
  /** Of the whole figure: unpriced GPUs make it `≥`, wholly unpriced or uncounted ones `?`. */
  readonly certainty: Certainty;
}

/** What a GPU costs an hour and who says so. */
export interface Rate {
  /** Integer micro-units for one GPU for one hour; undefined where nobody says a price. */
  readonly perGpuHour: Money | undefined;
  /**
   * contract: the user wrote it. provider: its API said it. fee: what was paid at once, spread over the hours that it
   * was paid for. list: a public list price.
   */
  readonly source: "contract" | "provider" | "fee" | "list" | "unknown";
  /** `≤` for a list price that is an upper bound (spot); `=` otherwise. */
  readonly bound: "=" | "≤";
  /** Day of the list price, YYYY-MM-DD; also of the one that a contract takes its discount from. */
  readonly asOf?: string;
}

export const UNKNOWN_RATE: Rate = { perGpuHour: undefined, source: "unknown", bound: "=" };

/** Amounts of one currency added up, sorted by currency. */
export function sumMoney(amounts: Iterable<Money>): Money[] {
  const byCurrency = new Map<string, Micros>();
  for (const { currency, micros } of amounts) {
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + micros);
  }
  return [...byCurrency]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, micros]) => ({ currency, micros }));
}

/** The certainty of a sum of parts that are as sure as `parts`; no parts: known. */
export function combineCertainty(parts: Iterable<Certainty>): Certainty {
  let atLeast = false;
  let atMost = false;
  let known = false;
  let unknown = false;
  for (const part of parts) {
    if (part === "=") known = true;
    else if (part === "≥") atLeast = true;
    else if (part === "≤") atMost = true;
    else unknown = true;
  }
  if (unknown && !known && !atLeast && !atMost) return "?";
  if (unknown) return atMost ? "?" : "≥";
  if (atLeast && atMost) return "?";
  if (atLeast) return "≥";
  return atMost ? "≤" : "=";
}
