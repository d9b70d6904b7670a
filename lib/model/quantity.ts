/** Powers of ten and of two that a suffix stands for. */
const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([numkMGTPE]?|[KMGTPE]i))$/;

/**
 * The number that a Kubernetes quantity stands for, in the quantity's own unit (`"100m"` is 0.1, `"8Ki"` is 8192);
 * undefined where `text` is no quantity or larger than a number can be.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function parseQuantity(text: string): number | undefined {
  const match = QUANTITY.exec(text);
  if (!match) return undefined;
  const [, digits = "", exponent, suffix = ""] = match;
  const binary = BINARY[suffix];
  const value =
    binary === undefined
      ? // Parsed with its exponent, so that decimal fractions are rounded once only.
        Number(`${digits}e${exponent ?? DECIMAL[suffix] ?? 0}`)
      : Number(digits) * 2 ** binary;
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? 0 : value;
}
