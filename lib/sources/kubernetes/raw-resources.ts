import type { Resources } from "../../model/kubernetes.ts";
import { memo } from "../../model/memo.ts";
import { parseQuantity } from "../../model/quantity.ts";
import { addProblem, type Problems, rawMap } from "./raw.ts";

/**
 * `value` as amounts by resource name: `cpu` in millicores, the others in their own unit, all whole numbers, rounded up
 * as Kubernetes does. What is no amount is left out and noted: no quantity, below 0, above 2^53, or a fraction of an
 * extended resource. https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
 */
export function rawResources(value: unknown, field: string, problems: Problems): Resources {
  const resources: Record<string, number> = {};
  for (const [name, raw] of Object.entries(rawMap(value, field, problems))) {
    const amount = rawAmount(name, raw);
    if (typeof amount === "number") resources[name] = amount;
    else addProblem(problems, `${field}[${JSON.stringify(name)}]`, raw, amount.expected);
  }
  return resources;
}

const quantityOf = memo(parseQuantity);

function rawAmount(name: string, raw: unknown): number | { readonly expected: string } {
  const text = typeof raw === "string" || typeof raw === "number" ? String(raw) : "";
  const quantity = quantityOf(text);
  if (quantity === undefined) return { expected: "a quantity" };
  if (quantity < 0) return { expected: "a quantity of 0 or more" };
  const amount = name === "cpu" ? quantity * 1_000 : quantity;
  if (amount > Number.MAX_SAFE_INTEGER) return { expected: "a quantity below 2^53" };
  if (name.includes("/") && !Number.isInteger(amount)) {
    return { expected: "a whole number, as of every extended resource" };
  }
  // Through 6 digits, since 16.1 cores times 1000 is a little more than 16100.
  return Number.isInteger(amount) ? amount : Math.ceil(Number(amount.toFixed(6)));
}
