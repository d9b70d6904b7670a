import { acceleratorUnit } from "../../model/accelerators.ts";
import { parseQuantity } from "../../model/quantity.ts";
import { cutText, listInWords } from "../wording.ts";

/** Why the API server did not take a pod, from what it answered to whoever tried to create it. */
export type Refusal =
  | {
      readonly kind: "exceeded";
      readonly quota: string;
      /** As the quota writes them: `requests.nvidia.com/gpu=4`. */
      readonly requested: string;
      readonly used: string;
      readonly limited: string;
    }
  | { readonly kind: "unstated"; readonly quota: string; readonly resources: readonly string[] }
  | { readonly kind: "limit"; readonly text: string }
  | { readonly kind: "policy"; readonly by: string; readonly text: string }
  /** Nobody has looked at it: the webhook that has to does not answer. */
  | { readonly kind: "unanswered"; readonly webhook: string; readonly text: string }
  /** What the pod names is not there, or its maker may not make pods. */
  | { readonly kind: "config"; readonly text: string };

/** undefined for a message about something else. https://kubernetes.io/docs/concepts/policy/resource-quotas/ */
export function refusalIn(message: string): Refusal | undefined {
  // The other pods of a group are made once the first has its place (JobSet, LeaderWorkerSet) or the group is let in (Volcano).
  if (/expected, transient error|podgroup phase is/i.test(message)) return undefined;
  const exceeded =
    /exceeded quota: ([^,\s]+), requested: (.+?), used: (.+?), limited: (.+?)(?:[\s;]*$|; )/.exec(message);
  if (exceeded) {
    const [, quota = "", requested = "", used = "", limited = ""] = exceeded;
    return { kind: "exceeded", quota, requested, used, limited };
  }
  const unstated = /failed quota: ([^:\s]+): must specify ([^\s;]+)/.exec(message);
  if (unstated) {
    const resources = (unstated[2] ?? "").split(/ for: |,/).filter((one) => /^[a-z]/.test(one));
    return { kind: "unstated", quota: unstated[1] ?? "", resources };
  }
  const limit =
    /(?:maximum|minimum) \S+ usage per (?:Container|Pod)[^[\]]*|\S+ max limit to request ratio per (?:Container|Pod)[^[\]]*|insufficient quota to match these scopes.*/i.exec(
      message,
    );
  if (limit) return { kind: "limit", text: cutText(limit[0].replace(/[,.\s]+$/, ""), 200) };
  const unanswered = /failed calling webhook "([^"]+)":? ?(.*)/s.exec(message);
  if (unanswered) {
    const [, webhook = "", text = ""] = unanswered;
    return { kind: "unanswered", webhook, text: cutText(text, 200) };
  }
  for (const [words, kind] of POLICIES) {
    const found = words.exec(message);
    if (found)
      return {
        kind: "policy",
        by: `${kind}${found[1] ? ` ${found[1]}` : ""}`,
        text: cutText(found[2] ?? "", 200),
      };
  }
  const config = CONFIG.exec(message);
  if (config) return { kind: "config", text: cutText(config[0], 200) };
  const other = /\bpods? (?:"[^"]*" )?is forbidden: (.*)/s.exec(message);
  return other ? { kind: "policy", by: "the API server", text: cutText(other[1] ?? "", 200) } : undefined;
}

const POLICIES: readonly (readonly [words: RegExp, kind: string])[] = [
  [/admission webhook "([^"]+)" denied the request:? ?(.*)/s, "the admission webhook"],
  [/ValidatingAdmissionPolicy '([^']+)'[^:]* denied request:? ?(.*)/s, "the admission policy"],
  [/violates PodSecurity "?([^":]+)(?::[^"]*)?"?:? ?(.*)/s, "pod security level"],
  [
    /unable to validate against any (?:security context constraint|pod security policy)()?:? ?(.*)/s,
    "the cluster's security policy",
  ],
  [/policy (\S+) (?:fail|denied|blocked):? ?(.*)/s, "the policy"],
];

const CONFIG =
  /serviceaccount "[^"]+" not found|no PriorityClass with name \S+ was found|cannot create resource "pods"[^:;]*|runtimeclass(?:es)?(?:\.node\.k8s\.io)? "[^"]+" not found|\bpod "[^"]*" is invalid: .*/is;

/** Units of accelerators that a quota's refusal is about; 0 where it is about others. `extra`: names from the configuration. */
export function acceleratorsIn(refusal: Refusal, extra: readonly string[]): number {
  if (refusal.kind !== "exceeded" && refusal.kind !== "unstated") return 0;
  const parts = refusal.kind === "exceeded" ? refusal.requested.split(",") : refusal.resources;
  return parts.reduce((sum, part) => {
    const [resource = "", amount = "1"] = part.replace(/^(requests|limits)\./, "").split("=");
    return acceleratorUnit(resource, extra) === undefined ? sum : sum + (parseQuantity(amount) ?? 1);
  }, 0);
}

/** The refusal behind `its pod is refused: `. */
export function refusalInWords(refusal: Refusal): string {
  switch (refusal.kind) {
    case "exceeded":
      return `quota ${refusal.quota} allows ${refusal.limited}, ${refusal.used} is used and it asks for ${refusal.requested} more`;
    case "unstated":
      return `quota ${refusal.quota} covers ${listInWords(refusal.resources)}, which the pod does not state`;
    case "limit":
      return `the namespace's limits do not allow it (${refusal.text})`;
    case "policy":
      return `${refusal.by} does not allow it${refusal.text === "" ? "" : ` (${refusal.text})`}`;
    case "unanswered":
      return `the admission webhook ${refusal.webhook} does not answer (${refusal.text})`;
    case "config":
      return refusal.text;
    default:
      return refusal satisfies never;
  }
}
