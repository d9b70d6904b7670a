import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const css = readFileSync(new URL("../../app/globals.css", import.meta.url), "utf8");
const tokens = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(([, name, light, dark]) => [
    name,
    { light, dark },
  ]),
);

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(text: string, ground: string, theme: "light" | "dark"): number {
  const [lighter = 0, darker = 0] = [tokens.get(text)?.[theme], tokens.get(ground)?.[theme]]
    .map((hex) => luminance(hex ?? ""))
    .sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

const onSurfaces = ["ink", "ink-2", "ink-3", "l1", "l2", "l3", "l4"].flatMap((text) =>
  ["bg", "panel", "field"].map((ground) => [text, ground] as const),
);
const onOwnSoft = ["l1", "l2", "l3", "l4", "warn"].map((text) => [text, `${text}-soft`] as const);
const onLayers = ["l1", "l2", "l3", "l4"].map((ground) => ["on-layer", ground] as const);

it.each([...onSurfaces, ...onOwnSoft, ...onLayers, ["warn", "panel"] as const])(
  "%s can be read on %s in both themes",
  (text, ground) => {
    expect(contrast(text, ground, "light")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(text, ground, "dark")).toBeGreaterThanOrEqual(4.5);
  },
);
