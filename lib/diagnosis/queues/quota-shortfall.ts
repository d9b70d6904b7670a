import type { Fleet } from "../../layers/fleet.ts";
import type { Resources } from "../../model/kubernetes.ts";
import { amountInWords, listInWords } from "../wording.ts";

/** Why a quota of the namespace would refuse a pod with these requests; undefined where none would. */
export function quotaShortfall(
  namespace: string,
  requests: Resources,
  { facts }: Fleet,
): { readonly quota: string; readonly words: string } | undefined {
  const defaults: Record<string, number> = {};
  for (const { namespace: own, limits } of facts.limitRanges.items) {
    for (const { type, defaults: given } of limits) {
      if (own === namespace && type === "Container") Object.assign(defaults, given);
    }
  }
  for (const quota of facts.resourceQuotas.items) {
    // Which pods a scope covers is for the API server to say.
    if (quota.namespace !== namespace || quota.isScoped) continue;
    const unstated: string[] = [];
    for (const [name, hard] of Object.entries(quota.hard)) {
      if (name.startsWith("limits.") || name.startsWith("count/")) continue;
      const resource = name.replace(/^requests\./, "");
      const asked = requests[resource] ?? defaults[resource];
      if (asked === undefined) {
        if (/^(cpu|memory)$/.test(resource)) unstated.push(resource);
        continue;
      }
      const used = quota.used[name] ?? 0;
      if (asked === 0 || used + asked <= hard) continue;
      const words = `quota ${quota.name} allows ${amountInWords(resource, hard)}, ${amountInWords(resource, used)} are used and a pod asks for ${amountInWords(resource, asked)}`;
      return { quota: quota.name, words };
    }
    if (unstated.length > 0) {
      const words = `quota ${quota.name} covers ${listInWords(unstated)}, which its pod does not state`;
      return { quota: quota.name, words };
    }
  }
  return undefined;
}
