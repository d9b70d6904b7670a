import type { Placement } from "../placement/placement.ts";
import { vendorOf } from "../placement/vendor.ts";
import type { PlacementQuestion } from "../question.ts";
import { groupsLacking } from "./autoscaler-logs.ts";
import { isOfGroup, type NodeGroup, nodeGroups } from "./node-groups.ts";
import { shortGroup } from "./scale-up-words.ts";

/** A node group of Cluster Autoscaler below its largest size, that might make a node for the pod. */
export interface GrowableGroup {
  readonly group: NodeGroup;
  readonly target: number;
  readonly max: number;
  /** `nodes`: a node of it could run the pod. `name`: it is empty, and its name speaks of such hardware. */
  readonly by: "nodes" | "name";
}

const OF_PLACEMENT = new WeakMap<Placement, readonly GrowableGroup[]>();

/** Worked out once for all pods alike. */
export function growableGroups(question: PlacementQuestion): readonly GrowableGroup[] {
  const known = OF_PLACEMENT.get(question.placement);
  if (known) return known;
  const groups = workOut(question);
  OF_PLACEMENT.set(question.placement, groups);
  return groups;
}

/** Groups by the autoscaler's own status; those whose nodes are there before those that only their names tell of. */
function workOut({ pod, ask, fleet, placement }: PlacementQuestion): readonly GrowableGroup[] {
  const [resource = ""] = ask.accelerators[0] ?? [];
  const labels = Object.values(pod.nodeSelector).filter(
    (value) => value.length > 2 && !/^\d+$|^true$/.test(value),
  );
  return [...nodeGroups(fleet).values()]
    .flatMap((group): GrowableGroup[] => {
      const { target, max, registered = target, scaleUp } = group.status ?? {};
      if (target === undefined || max === undefined || target >= max || scaleUp === "Backoff") return [];
      const { name } = group;
      if (placement.candidates.some((fit) => isOfGroup(fit.facts.node.record, name))) {
        return [{ group, target, max, by: "nodes" }];
      }
      const isMeant = speaksOf(name, resource) || labels.some((label) => name.includes(label));
      return registered === 0 && isMeant ? [{ group, target, max, by: "name" }] : [];
    })
    .sort((a, b) => Number(b.by === "nodes") - Number(a.by === "nodes"));
}

/** Families of machines with accelerators, as people and clouds write them into names: `g4dn`, `p5`, `nc24ads`, `trn1`. */
const FAMILY =
  /^(g[3-9]\w*|p[2-6]\w*|gr\d\w*|nc\d*\w*|nd\d*\w*|nv\d*\w*|a[23]|a4x?|trn\d\w*|inf\d\w*|dl\d\w*)$/i;

/** Groups that the autoscaler's log speaks of as lacking the device, though their names tell of such hardware. */
export function misjudgedGroups({ ask, fleet, logs }: PlacementQuestion): readonly string[] {
  const [resource = ""] = ask.accelerators[0] ?? [];
  return groupsLacking(fleet, logs, resource)
    .map(shortGroup)
    .filter((name) => speaksOf(name, resource));
}

function speaksOf(name: string, resource: string): boolean {
  const vendor = resource.split("/")[0];
  const words = name.split(/[-_./\s]+/);
  const named = words.map((word) => vendorOf(word)).find((one) => one !== undefined);
  if (named !== undefined) return named === vendor;
  return words.some((word) => /gpu|accel|cuda/i.test(word) || FAMILY.test(word));
}
