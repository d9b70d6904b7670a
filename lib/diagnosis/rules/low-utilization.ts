import { podEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { containerFinding, introOf, isReady } from "../runtime/container-failure.ts";

/**
 * What a program says of its own use of the GPUs, in percent of what they can do: model FLOPS utilization as trainers
 * log it, or the utilization that the driver reports.
 */
const SAID = [
  /\bmfu\b["']?\s*[:=(]?\s*(\d+(?:\.\d+)?)\s*%/i,
  /\bgpu[ _-]?util(?:ization)?\b["']?\s*[:=(]?\s*(\d+(?:\.\d+)?)\s*%/i,
];

/** Large models reach 30 to 60 % of model FLOPS; below this something starves the GPUs. */
const LOW_PERCENT = 10;
/** The first steps compile and warm up, and one reading is none. */
const READINGS = 5;

/** It runs, and by its own word its GPUs do far less than they can. Known only where its log was asked for. */
export const lowUtilization: Rule<Question> = ({ pod, ask, logs }) => {
  if (!isReady(pod)) return undefined;
  for (const container of pod.containers) {
    if (container.state.kind !== "running" || container.init) continue;
    const last = readingsIn(logs(pod.namespace, pod.name, container.name) ?? "").slice(-READINGS);
    const most = Math.max(...last.map(({ percent }) => percent));
    if (last.length < READINGS || most >= LOW_PERCENT) continue;
    const finding = containerFinding("LowUtilization", pod, container);
    return {
      ...finding,
      sure: { certainty: "medium", why: "its own log says so; nothing else is measured" },
      evidence: last.slice(-2).map(({ line }) => podEvidence(pod, `log of ${container.name}`, line)),
      sentence: `${introOf(pod)} its container ${container.name} uses its ${ask.words} far below what they can do: at most ${most} % by its own last ${READINGS} readings.`,
      step: `container ${container.name} uses at most ${most} % of its GPUs`,
      next: ["Look for what the GPUs wait for: data loading, batch size, communication.", ...finding.next],
    };
  }
  return undefined;
};

function readingsIn(text: string): { readonly percent: number; readonly line: string }[] {
  return text.split(/[\r\n]+/).flatMap((whole) => {
    const line = whole.slice(0, 2_000);
    const percent = SAID.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
    return percent === undefined ? [] : [{ percent: Number(percent), line }];
  });
}
