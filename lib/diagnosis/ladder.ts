import type { Pool } from "../layers/fleet.ts";
import { oncePer } from "../model/once-per.ts";
import { layerOf } from "../model/reasons.ts";
import { LAYERS, type Layer } from "../model/stages.ts";
import { lossInWords, lossOfMany } from "./placement/considered.ts";
import { perPlacement } from "./placement/per-placement.ts";
import type { Finding, PlacementQuestion, Question, SubjectFinding } from "./question.ts";
import type { Ladder } from "./verdict.ts";
import { countInWords } from "./wording.ts";

type Step = Ladder[Layer];

/** The four layers for a pod that no node has: below the broken one they hold, above it they are not reached. */
export function placementLadder(question: PlacementQuestion, finding: Finding): Ladder {
  return ladder(finding, {
    L1: supplyStep(question),
    L2: nodesStep(question),
    L3: { state: "ok", detail: freeInWords(question) },
    L4: { state: "not-reached", detail: "not reached" },
  });
}

/** The four layers for a pod that a node has. */
export function boundLadder({ pod, fleet }: Question, finding: Finding): Ladder {
  const node = fleet.nodes.get(pod.nodeName ?? "");
  const pool = fleet.pools.find((one) => one.id === node?.poolId);
  return ladder(finding, {
    L1: pool ? { state: "ok", detail: poolInWords(pool) } : unknown("its node belongs to no known pool"),
    L2: node
      ? { state: "ok", detail: `${node.record.name} is Ready` }
      : unknown(`node ${pod.nodeName} is not known`),
    L3: { state: "ok", detail: `placed on ${pod.nodeName}` },
    L4: { state: "not-reached", detail: "not reached" },
  });
}

/** The four layers for an object that lacks pods: what it says of them, the rest not reached. */
export function subjectLadder(finding: SubjectFinding): Ladder {
  const none: Step = { state: "not-reached", detail: "there is no pod yet" };
  const ok = (detail: string): Step => ({ state: "ok", detail });
  return ladder(finding, {
    L1: unknown("not looked at: there is no pod yet"),
    L2: unknown("not looked at: there is no pod yet"),
    L3: ok("nothing holds it back"),
    L4: none,
    ...finding.ladder,
  });
}

function ladder({ reason, step }: Finding, steps: Ladder): Ladder {
  const broken = layerOf(reason);
  const at = (layer: Layer): Step => {
    if (layer === broken) return { state: "broken", detail: step };
    const isAbove = LAYERS.indexOf(layer) > LAYERS.indexOf(broken);
    return isAbove ? { ...steps[layer], state: "not-reached" } : steps[layer];
  };
  return { L1: at("L1"), L2: at("L2"), L3: at("L3"), L4: at("L4") };
}

const unknown = (detail: string): Step => ({ state: "unknown", detail });

function supplyStep({ fleet, placement }: PlacementQuestion): Step {
  if (!fleet.nodesKnown) return unknown("nodes cannot be read");
  // What might hold it only says something where nothing else would.
  const slots = placement.slots.filter((slot) => slot.sure || placement.candidates.length === 0);
  const ids = new Set([...placement.pools, ...slots.map((slot) => slot.pool.id)]);
  const pools = fleet.pools.filter((pool) => ids.has(pool.id));
  if (pools.length === 0) return unknown("no pool is known that would hold it");
  const words = pools.slice(0, 3).map(poolInWords);
  if (pools.length > 3) words.push(`${pools.length - 3} more`);
  return { state: "ok", detail: words.join("; ") };
}

/** `cr-0f3a active, 16 slots, 14 launched`. */
function poolInWords(pool: Pool): string {
  const { name, reservation } = pool;
  const launched = launchedOf(pool);
  if (!reservation) return `${countInWords(launched, "node")} of ${name} outside reservations`;
  const slots = countInWords(reservation.record.count, "slot");
  return `${name} ${reservation.state}, ${slots}, ${launched} launched`;
}

/** A pool is told of for every pod that waits for it. */
const launchedOf = oncePer(({ members }: Pool) => members.filter((member) => member.kind === "node").length);

function nodesStep({ fleet, placement }: PlacementQuestion): Step {
  if (!fleet.nodesKnown) return unknown("nodes cannot be read");
  const { candidates, offering } = placement;
  if (candidates.length === 0) {
    const detail = `${countInWords(offering.length, "node")} with such devices, none could run it as written`;
    return offering.length > 0 ? { state: "ok", detail } : unknown("no node has such devices");
  }
  const parts = [`${countInWords(candidates.length, "node")} could run it`, ...lossesInWords(placement)];
  return { state: "ok", detail: parts.join("; ") };
}

/** `1 NotReady`, `2 cordoned`. */
const lossesInWords = perPlacement(({ candidates }): string[] => {
  const losses = candidates.flatMap(({ loss }) => (loss ? [loss] : []));
  return [...Map.groupBy(losses, lossInWords).values()].flatMap((alike) => {
    const [first] = alike;
    return first ? [lossOfMany(alike.length, first)] : [];
  });
});

const freeOn = perPlacement(({ open }) => ({
  free: open.reduce((sum, fit) => sum + Math.floor(fit.units.free), 0),
  total: open.reduce((sum, fit) => sum + fit.units.whole, 0),
}));

function freeInWords({ placement, fleet }: PlacementQuestion): string {
  if (!fleet.nodesKnown) return "nodes cannot be read";
  const { open } = placement;
  if (open.length === 0) return "no node for a scheduler to choose";
  const { free, total } = freeOn(placement);
  return `${free} of ${total} GPUs free on ${countInWords(open.length, "node")} that take${open.length === 1 ? "s" : ""} pods`;
}
