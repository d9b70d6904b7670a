import { isClaimedResource } from "../../model/accelerators.ts";
import type { ConsideredView } from "../../model/fleet-view.ts";
import type { Layer } from "../../model/stages.ts";
import { unitsInWords } from "../ask.ts";
import { amountInWords } from "../wording.ts";
import type { NodeFacts } from "./node-facts.ts";
import { isOpen, type Loss, type Mismatch, type NodeFit } from "./node-fit.ts";

/** Rows and names in a row that travel: the rest is counted. */
const ROWS_SHOWN = 20;
const NAMES_SHOWN = 5;

/** A `ConsideredView` that is still counted up. */
type Row = { -readonly [Field in keyof ConsideredView]: ConsideredView[Field] } & { nodes: string[] };

/** How a pod stands to nodes that it cannot tell apart: `fit` is that of the first of them. */
export interface ClassFit {
  readonly fit: NodeFit;
  readonly nodes: readonly NodeFacts[];
}

/** The nodes that were looked at, alike ones of a pool folded into one row; lowest layer first. */
export function consideredRows(fits: readonly ClassFit[]): ConsideredView[] {
  const rows = new Map<string, Row>();
  for (const { fit, nodes } of fits) {
    const { layer, why } = verdictOnNode(fit);
    const pool = fit.facts.node.poolId ?? null;
    const key = `${layer} ${pool} ${why}`;
    let row = rows.get(key);
    if (!row) {
      row = { nodes: [], nodeCount: 0, pool, gpusFree: 0, gpusTotal: 0, layer, why };
      rows.set(key, row);
    }
    const names = nodes.slice(0, NAMES_SHOWN - row.nodes.length).map((facts) => facts.node.record.name);
    row.nodes.push(...names);
    row.nodeCount += nodes.length;
    row.gpusFree += nodes.length * Math.floor(fit.units.free);
    row.gpusTotal += fit.units.guessed ? 0 : nodes.length * Math.ceil(fit.units.whole);
  }
  return [...rows.values()]
    .sort((a, b) => (a.layer < b.layer ? -1 : a.layer > b.layer ? 1 : b.nodeCount - a.nodeCount))
    .slice(0, ROWS_SHOWN);
}

function verdictOnNode(fit: NodeFit): { readonly layer: Layer; readonly why: string } {
  const [mismatch] = fit.mismatches;
  if (mismatch) return { layer: "L4", why: mismatchInWords(mismatch) };
  if (isOpen(fit) && fit.shortages.length === 0) return { layer: "L3", why: "fits now" };
  if (fit.loss) return { layer: "L2", why: lossInWords(fit.loss) };
  const device = fit.shortages.find((shortage) => shortage.accelerator);
  if (device) return { layer: "L3", why: device.free === 0 ? "GPUs are taken" : "too few GPUs free" };
  const short = fit.shortages.map(({ resource, free }) => `${amountInWords(resource, free)} free`);
  return { layer: "L3", why: `only ${short.join(" and ")}` };
}

/** `NotReady`, `cordoned`, `carries taint x`. */
export function lossInWords({ reason, by }: Loss): string {
  switch (reason) {
    case "NodeNotReady":
      return "NotReady";
    case "NodeCordoned":
      if (by === "unschedulable" || by === undefined) return "cordoned";
      return by === "deletion" ? "being deleted" : `carries taint ${by}`;
    case "GpuNotAdvertised":
      return "does not advertise all its GPUs";
    case "GpuUnhealthy":
      return "has unhealthy GPUs";
    default:
      return reason satisfies never;
  }
}

/** The same behind a count of nodes: `2 NotReady`, `1 with taint x`. */
export function lossOfMany(count: number, loss: Loss): string {
  switch (loss.reason) {
    case "GpuNotAdvertised":
      return `${count} not advertising all GPUs`;
    case "GpuUnhealthy":
      return `${count} with unhealthy GPUs`;
    default:
      return `${count} ${lossInWords(loss).replace("carries", "with")}`;
  }
}

/** Why a node can never run the pod: `has 4 GPUs`, `carries taint x`, `is not y`. */
export function mismatchInWords({ kind, resource = "", what }: Mismatch): string {
  switch (kind) {
    case "selection":
      return `does not match ${what}`;
    case "taint":
      return `carries taint ${what}, which it does not tolerate`;
    case "accelerator":
      return isClaimedResource(resource)
        ? "offers no such devices for claims"
        : `does not advertise ${resource}`;
    case "told":
      return what;
    case "size":
      return `has at most ${sizeInWords(resource, Number(what))}`;
    default:
      return kind satisfies never;
  }
}

function sizeInWords(resource: string, amount: number): string {
  const words = unitsInWords(resource, amount);
  return words === `${amount} ${resource}` ? amountInWords(resource, amount) : words;
}
