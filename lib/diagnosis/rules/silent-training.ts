import { podEvidence } from "../evidence.ts";
import type { Question, Rule } from "../question.ts";
import { containerFinding, introOf, isReady } from "../runtime/container-failure.ts";
import { timesIn } from "../runtime/log-of-pod.ts";
import { lastWords } from "../runtime/read-log.ts";
import { gangOf } from "../runtime/siblings.ts";
import { countInWords, timeInWords } from "../wording.ts";

/** Evaluations and checkpoints of large models take long, and so does a compiler. */
const NORMAL_SILENCE_MS = 30 * 60_000;
/** So many times its usual pace is no pause any more. */
const TIMES_ITS_PACE = 20;
/** A pace needs some steps. */
const STEPS = 5;

const STEP = /\b(step|iter|iteration|epoch|loss)\b/i;
const IS_DONE = /\b(finish(ed)?|complet(e|ed)|done|succe(ss|eded)|exiting|bye)\b/i;

/** A training loop that printed its steps at a steady pace has printed nothing for a long time, and runs on. */
export const silentTraining: Rule<Question> = ({ pod, fleet, now, logs }) => {
  if (!isReady(pod)) return undefined;
  for (const container of pod.containers) {
    if (container.state.kind !== "running" || container.init) continue;
    const text = logs(pod.namespace, pod.name, container.name) ?? "";
    const steps = text.split(/[\r\n]+/).filter((line) => STEP.test(line.slice(0, 2_000)));
    const last = timesIn(text).at(-1);
    const pace = paceOf(timesIn(steps.join("\n")));
    if (last === undefined || pace === undefined || IS_DONE.test(lastWords(text))) continue;
    const silence = now - last;
    if (silence < NORMAL_SILENCE_MS || silence < TIMES_ITS_PACE * pace) continue;
    const size = gangOf(pod, fleet).length;
    const finding = containerFinding("Hung", pod, container);
    const since = timeInWords(last, now);
    return {
      ...finding,
      sure: { certainty: "medium", why: "its log stops, with no error, in the middle of a steady pace" },
      evidence: [
        podEvidence(pod, `log of ${container.name}`, `nothing since ${since}`, last),
        ...finding.evidence,
      ],
      sentence: `${introOf(pod)} its container ${container.name} printed a step every ${Math.max(1, Math.round(pace / 1000))} s and has printed nothing since ${since}${size > 1 ? `; none of the ${countInWords(size, "pod")} of its job is known to have failed` : ""}.`,
      step: `container ${container.name} has printed nothing since ${since}`,
      next: [
        "Look at which rank or thread the others wait for (py-spy dump), then at its node.",
        ...finding.next,
      ],
      gang: size > 1 ? { placed: size, size } : undefined,
    };
  }
  return undefined;
};

/** The middle of the times between steps; undefined for too few. */
function paceOf(times: readonly number[]): number | undefined {
  if (times.length < STEPS) return undefined;
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
}
