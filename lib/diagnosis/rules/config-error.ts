import type { Question, Rule } from "../question.ts";
import { containerFinding, containerInWords, introOf } from "../runtime/container-failure.ts";
import { containerState } from "../runtime/container-state.ts";
import { startErrorOf } from "../runtime/start-error.ts";
import { cutText } from "../wording.ts";

/** What the kubelet and the runtime say, what that means, and what to do. The more specific first. */
const ERRORS: readonly (readonly [says: RegExp, what: string, next: string])[] = [
  [
    /secrets? "?[\w.-]+"? not found/i,
    "a secret that it uses does not exist",
    "Create the secret, or correct its name.",
  ],
  [
    /configmaps? "?[\w.-]+"? not found/i,
    "a config map that it uses does not exist",
    "Create the config map, or correct its name.",
  ],
  [
    /couldn't find key|references non-existent (secret|config) key/i,
    "a key that it uses is not there",
    "Add the key, or correct its name.",
  ],
  [
    /runAsNonRoot|non-root|cannot verify user is non-root/i,
    "the image would run as root, which its security context forbids",
    "Set runAsUser, or build the image with another user.",
  ],
  [
    /executable file not found|no such file or directory.*(exec|starting container)|exec:? .*(no such file|not found)|stat .*: no such file/i,
    "its command is not in the image",
    "Correct command and args, or the image.",
  ],
  [
    /permission denied/i,
    "its command may not be executed",
    "Make the command executable, or correct its user.",
  ],
  [
    /exec format error/i,
    "its command is built for another architecture",
    "Build the image for the node's architecture.",
  ],
  [/subpath/i, "a subPath of its mounts cannot be prepared", "Correct the subPath and the volume behind it."],
  [/mount/i, "a mount of it cannot be made", "Correct its volumeMounts."],
  [
    /memory.*(too low|minimum)|container init was OOM-killed/i,
    "its memory limit is too low to start",
    "Raise its memory limit.",
  ],
  [/working directory|chdir/i, "its working directory is not in the image", "Correct workingDir."],
];

/** A container cannot be made or started as it is written. */
export const containerConfigError: Rule<Question> = ({ pod, fleet }) => {
  const error = startErrorOf(pod, fleet.events.ofPod(pod.namespace, pod.name));
  if (!error) return undefined;
  const { container, message } = error;
  const known = ERRORS.find(([says]) => says.test(message));
  const finding = containerFinding("ContainerConfigError", pod, container);
  const words = message || containerState(container);
  const what = known ? `, since ${known[1]}` : "";
  return {
    ...finding,
    sure: known
      ? finding.sure
      : { certainty: "medium", why: "the kubelet reports it; whose fault its words name is not known" },
    sentence: `${introOf(pod)} its ${containerInWords(container)} cannot be started${what}: ${cutText(words, 200)}.`,
    step: `${containerInWords(container)} cannot be started${what}`,
    next: [...(known ? [known[2]] : []), ...finding.next],
  };
};
