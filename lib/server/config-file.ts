import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import type { OwnerRule } from "../model/owners.ts";
import type { PriceRule } from "../model/prices.ts";
import { LAYERS } from "../model/stages.ts";
import { parseDocuments } from "../sources/snapshot/parse-documents.ts";
import { ConfigError } from "./config-error.ts";
import { type LiveReservations, liveReservations, NO_LIVE } from "./live-reservations.ts";

/** What the configuration file says; a part that it leaves out is empty. */
export interface Settings {
  readonly prices: readonly PriceRule[];
  readonly owners: readonly OwnerRule[];
  /** Capacity that ends within so many hours is announced. */
  readonly noticeHours: number;
  /** Absolute paths of files with reservations. */
  readonly reservationFiles: readonly string[];
  /** Providers that are asked themselves. */
  readonly live: LiveReservations;
}

/** What holds without a configuration file. */
export const NO_SETTINGS: Settings = {
  prices: [],
  owners: [],
  noticeHours: 72,
  reservationFiles: [],
  live: NO_LIVE,
};

/** Problems that are told at once; more would bury the first. */
const PROBLEM_LIMIT = 5;

const text = z.string({ error: "a text" }).trim().min(1, { error: "a text that is not empty" });
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);
const amount = z.number({ error: "a price, a number of 0 or more" }).nonnegative().max(1e9);

const priceRule = z
  .strictObject({
    reservation: optional(text),
    provider: optional(text),
    region: optional(text),
    instanceType: optional(text),
    market: optional(z.enum(["on-demand", "block", "future", "spot"])),
    perGpuHour: optional(amount),
    perInstanceHour: optional(amount),
    discount: optional(z.number({ error: "percent off the list price, from 0 to 100" }).min(0).max(100)),
    currency: optional(z.string().regex(/^[A-Za-z]{3}$/, { error: "an ISO 4217 code such as USD" })),
  })
  .superRefine((rule, context) => {
    const wrong = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    const given = [rule.perGpuHour, rule.perInstanceHour, rule.discount].filter((one) => one !== undefined);
    if (given.length !== 1) wrong("perGpuHour", "one of perGpuHour, perInstanceHour and discount");
    if (rule.currency === undefined && rule.discount === undefined)
      wrong("currency", "the currency of the price, such as USD");
    if (rule.currency !== undefined && rule.discount !== undefined)
      wrong("currency", "no currency beside discount: the list price has its own");
    const { reservation, provider, region, instanceType, market } = rule;
    if ([reservation, provider, region, instanceType, market].every((part) => part === undefined))
      wrong("reservation", "what it is the price of: reservation, provider, region, instanceType or market");
  })
  .transform(({ perGpuHour, perInstanceHour, discount, currency = "", ...what }): PriceRule => {
    if (discount !== undefined) return { ...what, price: { kind: "discount", percent: discount } };
    const kind = perGpuHour === undefined ? "per-instance" : "per-gpu";
    const micros = Math.round((perGpuHour ?? perInstanceHour ?? 0) * 1e6);
    return { ...what, price: { kind, currency: currency.toUpperCase(), micros } };
  });

const ownerRule = z
  .strictObject({
    layer: optional(z.enum(LAYERS)),
    pool: optional(text),
    namespace: optional(text),
    team: text,
    contact: optional(text),
  })
  .refine(({ layer, pool, namespace }) => layer ?? pool ?? namespace, {
    path: ["layer"],
    error: "what the team owns: layer, pool or namespace",
  });

const document = z.strictObject({
  prices: z.array(priceRule).default([]),
  owners: z.array(ownerRule).default([]),
  noticeHours: z
    .number({ error: "hours, a number of 0 or more" })
    .nonnegative()
    .max(24 * 366)
    .default(NO_SETTINGS.noticeHours),
  reservations: z
    .strictObject({ files: z.array(text).default([]), ...liveReservations })
    .default({ files: [], ...NO_LIVE }),
});

/**
 * Reads the configuration file at `path` (YAML, or JSON where its name says so). Paths in it are relative to its folder.
 *
 * @throws ConfigError where it cannot be read, with one line for each thing that is wrong in it
 */
export function readConfigFile(path: string): Settings {
  const read = document.safeParse(parse(path) ?? {});
  if (!read.success) {
    const lines = read.error.issues.slice(0, PROBLEM_LIMIT).map((issue) => lineOf(path, issue));
    throw new ConfigError(lines.join("\n"));
  }
  const { reservations, ...rest } = read.data;
  const { files, ...live } = reservations;
  const folder = dirname(resolve(path));
  return { ...rest, live, reservationFiles: files.map((file) => resolve(folder, file)) };
}

function parse(path: string): unknown {
  const [first, second] = parseDocuments(textOf(path), /\.json$/i.test(path) ? "json" : "yaml");
  if (first && "error" in first) throw wrong(path, first.where, first.error);
  if (second) throw wrong(path, second.where, "one document in the file, got a second one");
  return first?.value;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `SEAMLINE_CONFIG: ${path} cannot be read (${why}). Correct the path, or leave it out.`,
    );
  }
}

function lineOf(file: string, issue: z.core.$ZodIssue): string {
  const path = issue.path.reduce<string>((all, key) => {
    if (typeof key === "number") return `${all}[${key}]`;
    return all === "" ? String(key) : `${all}.${String(key)}`;
  }, "");
  if (issue.code !== "unrecognized_keys") return wrong(file, path, issue.message).message;
  const unknown = issue.keys.join(", ");
  return `${file}: ${[path, unknown].filter(Boolean).join(".")}: no such setting. Correct its name, or take it out.`;
}

function wrong(file: string, path: string, expected: string): ConfigError {
  const what = expected.replace(/^Invalid (input|option): expected /, "");
  return new ConfigError(`${[file, path].filter(Boolean).join(": ")}: expected ${what}`);
}
