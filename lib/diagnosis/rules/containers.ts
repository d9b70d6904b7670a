import type { Question, Rule } from "../question.ts";
import { containerConfigError } from "./config-error.ts";
import { busError, crashLoop, hostOutOfMemory, killedWithoutWord } from "./crash.ts";
import { peerFailedFirst } from "./gang-failure.ts";
import { gpuLostAtRuntime } from "./gpu-lost.ts";
import { gpuRuntimeRefused } from "./gpu-runtime.ts";
import { imagePullFailed } from "./image-pull.ts";
import { logFailure } from "./log-failure.ts";
import { probeKillsSlowStart } from "./probe-kills.ts";

/** From what the node does to a container, over what is surely known of its end, to a mere crash. */
const RULES: readonly Rule<Question>[] = [
  imagePullFailed,
  gpuRuntimeRefused,
  containerConfigError,
  gpuLostAtRuntime,
  hostOutOfMemory,
  peerFailedFirst,
  logFailure,
  probeKillsSlowStart,
  killedWithoutWord,
  busError,
  crashLoop,
];

/** What is wrong with a pod's containers: one thing, so what a later rule sees of the same end is no further blocker. */
export const containersFail: Rule<Question> = (question) => {
  for (const rule of RULES) {
    const found = rule(question);
    if (found) return found;
  }
  return undefined;
};
