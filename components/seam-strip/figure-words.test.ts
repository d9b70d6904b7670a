import { describe, expect, it } from "vitest";
import type { Certainty, Figure } from "@/lib/model/fleet-view.ts";
import { figureNotes, shareOf } from "./figure-words.ts";

const figure = (gpus: number | null, dollars: number | null, certainty: Certainty = "="): Figure => ({
  gpus,
  perHour: dollars === null ? [] : [{ currency: "USD", micros: dollars * 1_000_000 }],
  certainty,
});

describe("shareOf", () => {
  it.each<[string, Figure, Figure, number | null]>([
    ["money where it is known", figure(10, 80), figure(100, 100), 0.8],
    ["money of nothing lost", figure(0, null), figure(100, 100), 0],
    ["GPUs where a price is missing", figure(10, 80), figure(100, 100, "≥"), 0.1],
    ["GPUs where none has a price", figure(10, null, "?"), figure(40, null, "?"), 0.25],
    ["nothing where the part is not known", figure(null, null, "?"), figure(40, 40), null],
    ["nothing where the whole is not known", figure(4, null, "?"), figure(null, null, "?"), null],
    ["nothing of nothing", figure(0, null), figure(0, null), null],
  ])("is of the %s", (_, part, whole, share) => expect(shareOf(part, whole)).toBe(share));

  it("is of the GPUs where there are several currencies", () => {
    const whole: Figure = {
      gpus: 40,
      certainty: "=",
      perHour: [
        { currency: "EUR", micros: 1_000_000 },
        { currency: "USD", micros: 1_000_000 },
      ],
    };
    expect(shareOf(figure(10, 1), whole)).toBe(0.25);
  });
});

describe("figureNotes", () => {
  it.each<[Figure, boolean, number | null, readonly string[]]>([
    [figure(81, 391), false, 0.237, ["81 GPUs", "24 %"]],
    [figure(81, 391, "≥"), true, 0.237, ["≥ 81 GPUs", "≥ 24 %"]],
    [figure(1, null, "?"), false, null, ["price unknown"]],
    [figure(0, null), false, 0, ["0 GPUs", "0 %"]],
    [figure(null, null, "?"), true, null, ["cannot be told"]],
  ])("of %j are %j", (input, atLeast, share, notes) =>
    expect(figureNotes(input, atLeast, share)).toEqual(notes),
  );
});
