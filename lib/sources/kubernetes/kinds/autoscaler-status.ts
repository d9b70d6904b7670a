import { parse } from "yaml";
import type { NodeGroupStatus } from "../../../model/facts/autoscaling.ts";
import { addProblem, type Problems, rawList, rawObject } from "../raw.ts";

/** What Cluster Autoscaler writes into its ConfigMap, in either of its formats. */
export interface ParsedAutoscalerStatus {
  readonly updatedAt: number | undefined;
  readonly groups: readonly NodeGroupStatus[];
}

/**
 * Text up to version 1.29, YAML from 1.30 on. What is neither gives no groups and a problem.
 * https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md#how-can-i-check-what-is-going-on-in-ca-
 */
export function parseAutoscalerStatus(text: string, problems: Problems): ParsedAutoscalerStatus {
  if (/^Cluster-autoscaler status at/.test(text)) return fromText(text);
  let raw: unknown;
  try {
    raw = parse(text, { maxAliasCount: 0 });
  } catch {
    raw = undefined;
  }
  const status = rawObject(raw);
  if (status.nodeGroups === undefined && status.autoscalerStatus === undefined) {
    addProblem(problems, "data.status", text, "a status of Cluster Autoscaler");
  }
  const groups = rawList(status.nodeGroups, "data.status.nodeGroups", problems).map(fromYaml);
  return { updatedAt: timeOf(status.time), groups };
}

function fromYaml(value: unknown): NodeGroupStatus {
  const group = rawObject(value);
  const health = rawObject(group.health);
  const scaleUp = rawObject(group.scaleUp);
  const backoff = rawObject(scaleUp.backoffInfo);
  const code = textOf(backoff.errorCode);
  const message = textOf(backoff.errorMessage);
  return {
    name: textOf(group.name),
    min: countOf(health.minSize),
    max: countOf(health.maxSize),
    target: countOf(health.cloudProviderTarget),
    registered: countOf(rawObject(rawObject(health.nodeCounts).registered).total),
    scaleUp: textOf(scaleUp.status),
    scaleUpSince: timeOf(scaleUp.lastTransitionTime),
    backoff: code === "" && message === "" ? undefined : { code, message },
  };
}

/** Blocks that begin with `Name:`; within one, `ScaleUp:` is followed by its own times. */
function fromText(text: string): ParsedAutoscalerStatus {
  const [head = "", ...blocks] = text.split(/^\s*Name:\s*/m);
  return {
    updatedAt: timeOf(/status at (.+?):\s*$/m.exec(head)?.[1]),
    groups: blocks.map((block) => {
      const count = (key: string) => countOf(Number(new RegExp(`\\b${key}=(\\d+)`).exec(block)?.[1]));
      const scaleUp = /^\s*ScaleUp:\s*(\w+)[\s\S]*?LastTransitionTime:\s*(.+)$/m.exec(block);
      return {
        name: /^\S*/.exec(block)?.[0] ?? "",
        min: count("minSize"),
        max: count("maxSize"),
        target: count("cloudProviderTarget"),
        registered: count("registered"),
        scaleUp: scaleUp?.[1] ?? "",
        scaleUpSince: timeOf(scaleUp?.[2]),
        backoff: undefined,
      };
    }),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 1_000) : "";
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** RFC 3339, or as Go prints a time: `2026-11-30 11:59:54.83 +0000 UTC`, perhaps with `m=+1.5` behind. */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d* ?(Z|[+-]\d\d:?\d\d)?/.exec(
    value.trim(),
  );
  if (!match) return undefined;
  const zone = (match[3] ?? "Z").replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  const at = Date.parse(`${match[1]}T${match[2]}${zone}`);
  return Number.isNaN(at) || at <= 0 ? undefined : at;
}
