import type { DeviceRecord } from "../model/facts/devices.ts";
import { parseQuantity } from "../model/quantity.ts";

/** A device, and the driver that offers it. */
export interface OfferedDevice {
  readonly driver: string;
  readonly device: DeviceRecord;
}

/**
 * Whether CEL expressions, all of which have to hold, select a device. Comparisons joined by `&&` are evaluated, as
 * drivers' classes and most claims have them; undefined where an expression is of another kind and may hold.
 * https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#deviceclass
 */
export function selectsDevice(selectors: readonly string[], offered: OfferedDevice): boolean | undefined {
  let sure = true;
  for (const clause of selectors.flatMap((selector) => clausesOf(selector))) {
    const holds = holdsFor(clause, offered);
    if (holds === false) return false;
    if (holds === undefined) sure = false;
  }
  return sure ? true : undefined;
}

/** The driver that a class names; undefined where it names none. */
export function driverOf(selectors: readonly string[]): string | undefined {
  for (const clause of selectors.flatMap((selector) => clausesOf(selector))) {
    const driver = DRIVER.exec(clause);
    if (driver?.[1] === "==") return driver[2];
  }
  return undefined;
}

function clausesOf(expression: string): string[] {
  return /\|\||\?/.test(expression) ? [expression] : expression.split("&&").map((clause) => clause.trim());
}

const DRIVER = /^device\.driver\s*(==|!=)\s*["']([^"']+)["']$/;
const ATTRIBUTE =
  /^device\.attributes\[["']([^"']+)["']\]\.([A-Za-z_]\w*)\s*(==|!=)\s*(?:["']([^"']*)["']|(\d+|true|false))$/;
const CAPACITY =
  /^device\.capacity\[["']([^"']+)["']\]\.([A-Za-z_]\w*)\.compareTo\(\s*quantity\(["']([^"']+)["']\)\s*\)\s*(>=|>|<=|<|==)\s*0$/;

function holdsFor(clause: string, { driver, device }: OfferedDevice): boolean | undefined {
  const named = DRIVER.exec(clause);
  if (named) return (named[2] === driver) === (named[1] === "==");
  const attribute = ATTRIBUTE.exec(clause);
  if (attribute) {
    const [, domain = "", name = "", operator, text, literal] = attribute;
    const value = device.attributes[domain === driver ? name : `${domain}/${name}`];
    // An attribute that is not there makes the whole expression fail.
    return value !== undefined && (value === (text ?? literal)) === (operator === "==");
  }
  const capacity = CAPACITY.exec(clause);
  if (capacity) {
    const [, domain = "", name = "", amount = "", operator = ""] = capacity;
    const has = device.capacity[domain === driver ? name : `${domain}/${name}`];
    const asked = parseQuantity(amount);
    return has !== undefined && asked !== undefined && compares(has - asked, operator);
  }
  return undefined;
}

function compares(difference: number, operator: string): boolean {
  switch (operator) {
    case ">=":
      return difference >= 0;
    case ">":
      return difference > 0;
    case "<=":
      return difference <= 0;
    case "<":
      return difference < 0;
    default:
      return difference === 0;
  }
}
