import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCsv } from "./to-csv.ts";

/** A reader of RFC 4180, to hold the writer to. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (let at = 0; at < text.length; ) {
    const match = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
    match.lastIndex = at;
    const [all = "", quoted, plain = ""] = match.exec(text) ?? [];
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += all.length;
    if (text[at] === ",") {
      at += 1;
      continue;
    }
    expect(text.slice(at, at + 2)).toBe("\r\n");
    at += 2;
    lines.push(line);
    line = [];
  }
  return lines;
}

describe("toCsv", () => {
  it.each([
    ["plain", "plain"],
    ["a,b", '"a,b"'],
    ['the "big" one', '"the ""big"" one"'],
    ["two\nlines", '"two\nlines"'],
    ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", "'\tx"],
    ["\r=1", `"'\r=1"`],
    ['=1,"2"', `"'=1,""2"""`],
    ["a=b", "a=b"],
  ])("writes %j as %j", (value, written) => expect(toCsv(["h"], [[value]])).toBe(`h\r\n${written}\r\n`));

  it("keeps numbers as they are, and what is not known empty", () =>
    expect(toCsv(["a", "b", "c"], [[-1.5, null, 0]])).toBe("a,b,c\r\n-1.5,,0\r\n"));

  it("is read back as it was, but for the mark before a formula", () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 2 })),
        (lines) => {
          const safe = lines.map((line) =>
            line.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)),
          );
          expect(parseCsv(toCsv(["a", "b"], lines))).toEqual([["a", "b"], ...safe]);
        },
      ),
    ));
});
