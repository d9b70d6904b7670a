import { diagnose, diagnoseHeldPod } from "../diagnosis/diagnose.ts";
import { findSubject, type Subject } from "../diagnosis/find-subject.ts";
import { groupVerdicts, type VerdictGroup } from "../diagnosis/group-verdicts.ts";
import type { LogLookup } from "../diagnosis/question.ts";
import { groupView } from "../diagnosis/verdict-view.ts";
import type { Fleet } from "../layers/fleet.ts";
import type { StuckView } from "../model/fleet-view.ts";
import type { OwnerRule } from "../model/owners.ts";

/** One entry of what is stuck; `layer` and `reason` are null for a subject of which nothing says that it is stuck. */
export type DiagnosisRecord =
  | ({ readonly case: string } & StuckView)
  | {
      readonly case: string;
      readonly kind: string;
      readonly namespace: string;
      readonly name: string;
      readonly layer: null;
      readonly reason: null;
      readonly sentence: string;
    };

/** Everything that is stuck in a fleet at `now`, the subject first; with `only`, nothing but the subject. */
export function diagnosisRecords(
  fleet: Fleet,
  options: {
    readonly name: string;
    readonly owners: readonly OwnerRule[];
    readonly now: number;
    readonly logs: LogLookup;
    readonly subject: Subject | undefined;
    readonly only?: boolean;
  },
): readonly DiagnosisRecord[] {
  const { name, owners, now, logs, subject, only = false } = options;
  const verdicts = diagnose(fleet, now, logs);
  const asked = subject && (findSubject(verdicts, subject) ?? failedPod(subject, fleet, now, logs));
  const others = groupVerdicts(verdicts).filter(({ members }) => !asked || !members.includes(asked.first));
  const shown = [...(asked ? [asked] : []), ...(only ? [] : others)];
  const records = shown.map((group) => ({ case: name, ...groupView(group, owners) }));
  return subject && !asked ? [notStuck(name, subject), ...records] : records;
}

/** A pod that failed and is wanted no more is not stuck, and who asks about it wants to know what happened to it. */
function failedPod(
  { kind = "Pod", namespace, name }: Subject,
  fleet: Fleet,
  now: number,
  logs: LogLookup,
): VerdictGroup | undefined {
  const pod = fleet.pods.find((one) => one.namespace === namespace && one.name === name);
  const first = kind === "Pod" && pod?.phase === "Failed" && diagnoseHeldPod(pod, fleet, now, logs);
  return first ? { first, members: [first], gpus: first.gpus } : undefined;
}

function notStuck(name: string, { kind = "Pod", namespace, name: of }: Subject): DiagnosisRecord {
  return {
    case: name,
    kind,
    namespace,
    name: of,
    layer: null,
    reason: null,
    sentence: `Nothing says that ${kind} ${namespace}/${of} is stuck, or it is not there.`,
  };
}
