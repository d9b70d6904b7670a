import { formatCount } from "@/components/ui/format.ts";
import type { Figure, LedgerView, LossView } from "@/lib/model/fleet-view.ts";
import type { Layer } from "@/lib/model/stages.ts";

/** A piece of the sentence; `strong` ones carry it when it is only glanced at. */
export interface Phrase {
  readonly text: string;
  readonly strong: boolean;
}

const plain = (text: string): Phrase => ({ text, strong: false });
const strong = (text: string): Phrase => ({ text, strong: true });

/** Owners named one by one; the rest is summed up. */
const OWNERS_NAMED = 3;

/** The fleet in one or two sentences that could be said in a meeting, whose move it is included. */
export function headline(
  totals: Pick<LedgerView, "paid" | "schedulable" | "seam" | "working" | "unknown">,
  losses: readonly LossView[],
): readonly Phrase[] {
  const paid = totals.paid.gpus;
  if (paid === null) return [plain("How many GPUs are paid for this hour cannot be told yet.")];
  if (paid === 0) return [plain("No GPU is paid for this hour.")];
  return [...reach(paid, totals), ...unknownPart(totals.unknown), ...seamPart(totals, losses)];
}

/** How many of the paid GPUs can be scheduled, and how many work. */
function reach(paid: number, totals: Pick<LedgerView, "schedulable" | "working" | "unknown">): Phrase[] {
  const schedulable = totals.schedulable.gpus;
  const working = totals.working.gpus;
  if (schedulable === null) {
    return [
      plain(`${formatCount(paid)} ${paid === 1 ? "GPU is" : "GPUs are"} paid for this hour; `),
      strong("how many can be scheduled cannot be told"),
      plain("."),
    ];
  }
  const atLeast = totals.unknown.gpus === 0 ? "" : "at least ";
  if (schedulable === paid && working === paid) {
    const subject = paid === 1 ? "The one GPU" : `All ${formatCount(paid)} GPUs`;
    return [
      plain(`${subject} paid for this hour `),
      strong(`can be scheduled and ${paid === 1 ? "works" : "work"}`),
      plain("."),
    ];
  }
  return [
    plain(`Of ${formatCount(paid)} ${paid === 1 ? "GPU" : "GPUs"} paid for this hour, `),
    strong(`${atLeast}${some(schedulable)} can be scheduled`),
    plain(" and "),
    strong(
      working === null
        ? "how many work cannot be told"
        : `${atLeast}${some(working)} ${working > 1 ? "work" : "works"}`,
    ),
    plain("."),
  ];
}

function unknownPart(unknown: Figure): Phrase[] {
  if (unknown.gpus === 0) return [];
  if (unknown.gpus === null) return [plain(" Not all of it could be read.")];
  return [
    plain(" Where "),
    strong(`${formatCount(unknown.gpus)} ${unknown.gpus === 1 ? "is" : "are"}`),
    plain(" cannot be told."),
  ];
}

/** Whose move it is: the GPUs in the seam by owner and layer, most first. */
function seamPart(totals: Pick<LedgerView, "seam" | "unknown">, losses: readonly LossView[]): Phrase[] {
  const seam = totals.seam.gpus;
  if (seam === null) return [];
  if (seam === 0) return totals.unknown.gpus === 0 ? [plain(" Nothing is lost in the seam.")] : [];
  const waits = waitsByOwner(losses);
  const named = waits.slice(0, OWNERS_NAMED);
  const others = waits.slice(OWNERS_NAMED).reduce((sum, wait) => sum + wait.gpus, 0);
  const phrases = named.flatMap((wait, index) => [
    plain(index === 0 ? ` ${firstCount(wait.gpus, seam)} on ` : `, ${formatCount(wait.gpus)} on `),
    plain(/(team|owners?|provider)$/.test(wait.owner) ? "the " : ""),
    strong(wait.owner),
    plain(` (${wait.layers.join(", ")})`),
  ]);
  if (phrases.length === 0) return [];
  if (others > 0) phrases.push(plain(`, ${formatCount(others)} on others`));
  return [...phrases, plain(".")].filter((phrase) => phrase.text !== "");
}

function firstCount(gpus: number, seam: number): string {
  const verb = gpus === 1 ? "waits" : "wait";
  if (gpus < seam) return `${formatCount(gpus)} of the ${formatCount(seam)} in the seam ${verb}`;
  return seam === 1 ? "The one in the seam waits" : `All ${formatCount(seam)} in the seam wait`;
}

interface Wait {
  readonly owner: string;
  readonly layers: readonly Layer[];
  readonly gpus: number;
}

function waitsByOwner(losses: readonly LossView[]): readonly Wait[] {
  const byOwner = new Map<string, { layers: Set<Layer>; gpus: number }>();
  for (const loss of losses) {
    if (!loss.seam || !loss.gpus) continue;
    const wait = byOwner.get(loss.owner) ?? { layers: new Set(), gpus: 0 };
    wait.layers.add(loss.layer);
    wait.gpus += loss.gpus;
    byOwner.set(loss.owner, wait);
  }
  return [...byOwner]
    .map(([owner, { layers, gpus }]) => ({ owner, layers: [...layers].sort(), gpus }))
    .sort((a, b) => b.gpus - a.gpus || (a.owner < b.owner ? -1 : 1));
}

function some(gpus: number): string {
  return gpus === 0 ? "none" : formatCount(gpus);
}
