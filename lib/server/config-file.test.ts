import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "./config-error.ts";
import { NO_SETTINGS, readConfigFile } from "./config-file.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "seamline-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function file(text: string, name = "seamline.yaml"): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const WHOLE = `
prices:
  - reservation: cr-0f3a
    perGpuHour: 4.12
    currency: usd
  - provider: aws
    region: us-east-1
    instanceType: p5.48xlarge
    market: on-demand
    discount: 35
  - instanceType: mi300x-192gb-ib.8x
    perInstanceHour: 27.6
    currency: EUR
owners:
  - layer: L1
    team: capacity crew
    contact: "#capacity"
  - namespace: ml
    team: research
noticeHours: 24
reservations:
  files: [reserved.yaml, /etc/seamline/aws.json]
  aws:
    - regions: [us-east-2]
      profile: training
`;

describe("readConfigFile", () => {
  it("reads prices, owners, notice and reservations", () => {
    const nobody = { layer: undefined, pool: undefined, namespace: undefined, contact: undefined };
    const any = {
      reservation: undefined,
      provider: undefined,
      region: undefined,
      instanceType: undefined,
      market: undefined,
    };
    expect(readConfigFile(file(WHOLE))).toEqual({
      prices: [
        { ...any, reservation: "cr-0f3a", price: { kind: "per-gpu", currency: "USD", micros: 4_120_000 } },
        {
          reservation: undefined,
          provider: "aws",
          region: "us-east-1",
          instanceType: "p5.48xlarge",
          market: "on-demand",
          price: { kind: "discount", percent: 35 },
        },
        {
          ...any,
          instanceType: "mi300x-192gb-ib.8x",
          price: { kind: "per-instance", currency: "EUR", micros: 27_600_000 },
        },
      ],
      owners: [
        { ...nobody, layer: "L1", team: "capacity crew", contact: "#capacity" },
        { ...nobody, namespace: "ml", team: "research" },
      ],
      noticeHours: 24,
      reservationFiles: [join(folder, "reserved.yaml"), "/etc/seamline/aws.json"],
      live: expect.objectContaining({ aws: [{ regions: ["us-east-2"], profile: "training" }] }),
    });
  });

  it("reads JSON", () => {
    expect(readConfigFile(file('{"noticeHours": 1}', "seamline.json"))).toEqual({
      ...NO_SETTINGS,
      noticeHours: 1,
    });
  });

  it.each(["", "{}", "# nothing yet\n"])("makes of %j what holds without a file", (text) => {
    expect(readConfigFile(file(text))).toEqual(NO_SETTINGS);
  });

  it.each<[string, string, RegExp]>([
    ["a setting that there is not", "price: []", /seamline\.yaml: price: no such setting/],
    [
      "a misspelt part",
      "prices: [{instanceTyp: a, discount: 3}]",
      /prices\[0\]\.instanceTyp: no such setting/,
    ],
    [
      "two prices",
      "prices: [{region: a, perGpuHour: 1, discount: 3}]",
      /prices\[0\]\.perGpuHour: expected one of/,
    ],
    ["no price", "prices: [{region: a}]", /prices\[0\]\.perGpuHour: expected one of perGpuHour/],
    [
      "a price of everything",
      "prices: [{discount: 3}]",
      /prices\[0\]\.reservation: expected what it is the price of/,
    ],
    [
      "a price without a currency",
      "prices: [{region: a, perGpuHour: 1}]",
      /prices\[0\]\.currency: expected the curr/,
    ],
    [
      "a discount above the price",
      "prices: [{region: a, discount: 120}]",
      /prices\[0\]\.discount: expected percent/,
    ],
    ["an unknown market", "prices: [{market: futures, discount: 1}]", /prices\[0\]\.market: expected one of/],
    ["an owner of nothing", "owners: [{team: a}]", /owners\[0\]\.layer: expected what the team owns/],
    [
      "a layer that there is not",
      "owners: [{layer: L5, team: a}]",
      /owners\[0\]\.layer: expected one of "L1"/,
    ],
    ["an owner without a team", "owners: [{layer: L1}]", /owners\[0\]\.team: expected a text/],
    ["a notice below nothing", "noticeHours: -1", /noticeHours: expected/],
    [
      "a region that is none",
      "reservations: {aws: [{regions: [here]}]}",
      /reservations\.aws\[0\]\.regions\[0\]: exp/,
    ],
    ["a list", "[1]", /seamline\.yaml: expected/],
    ["broken YAML", "prices: [", /seamline\.yaml: line \d+: expected/],
    ["two documents", "noticeHours: 1\n---\nnoticeHours: 2\n", /expected one document/],
  ])("refuses %s", (_, text, message) => {
    const path = file(text);
    expect(() => readConfigFile(path)).toThrow(ConfigError);
    expect(() => readConfigFile(path)).toThrow(message);
  });

  it("says which file cannot be read", () => {
    expect(() => readConfigFile(join(folder, "none.yaml"))).toThrow(
      /SEAMLINE_CONFIG: .*none\.yaml cannot be read/,
    );
  });
});
