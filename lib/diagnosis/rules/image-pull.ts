import { isImageReason } from "../../layers/kubelet-reasons.ts";
import { eventEvidence } from "../evidence.ts";
import type { Question, Rule, Sure } from "../question.ts";
import { containerFinding, containerInWords } from "../runtime/container-failure.ts";
import { cutText, shellWord } from "../wording.ts";

interface PullFailure {
  readonly says: RegExp;
  /** Ends the sentence `NAME is on NODE and cannot pull the image IMAGE: …`. */
  readonly what: string;
  readonly next: string;
  /** May pass without anyone's help. */
  readonly passes?: boolean;
}

/** What registries and containerd answer, the more specific first. */
const FAILURES: readonly PullFailure[] = [
  {
    says: /toomanyrequests|\b429\b|pull rate limit|rate exceeded/i,
    what: "the registry limits the rate of pulls",
    next: "Pull with an account, or through a mirror; the kubelet goes on trying.",
    passes: true,
  },
  {
    says: /no match for platform|no matching manifest|exec format error|does not match the specified platform/i,
    what: "the image is not built for the node's architecture",
    next: "Build the image for the node's architecture, or select nodes by kubernetes.io/arch.",
  },
  {
    says: /unauthorized|authentication required|no basic auth|\b403\b|forbidden|denied|insufficient_scope|credential/i,
    what: "the registry refuses access, or hides that the image does not exist",
    next: "Check imagePullSecrets of the pod and its service account, and the name of the image.",
  },
  {
    says: /not found|manifest unknown|does not exist|name unknown|repository .* not known/i,
    what: "there is no such image or tag",
    next: "Correct the image's name or tag, or push it.",
  },
  {
    says: /no space left on device|disk quota/i,
    what: "the node's disk is full",
    next: "Free the node's image disk, or give its nodes a larger one.",
  },
  {
    says: /x509|certificate|tls: /i,
    what: "the registry's certificate is not trusted",
    next: "Add the registry's certificate authority to the nodes' runtime.",
  },
  {
    says: /no such host|server misbehaving|lookup .* on /i,
    what: "the registry's name cannot be resolved from the node",
    next: "Correct the registry's name, or the node's DNS.",
  },
  {
    says: /timeout|timed out|deadline exceeded|connection (refused|reset)|unexpected EOF|network is unreachable|\b5\d\d [A-Z]|context canceled/i,
    what: "the registry does not answer the node",
    next: "Check that the node reaches the registry; the kubelet goes on trying.",
    passes: true,
  },
  {
    says: /couldn't parse|invalid reference|InvalidImageName|must be lowercase/i,
    what: "its name is no valid one",
    next: "Correct the image's name.",
  },
  {
    says: /ErrImageNeverPull|not present with pull policy/i,
    what: "it is not on the node and its pull policy is Never",
    next: "Set imagePullPolicy to IfNotPresent, or load the image on the node.",
  },
];

/** The image of a container cannot be pulled. https://kubernetes.io/docs/concepts/containers/images/ */
export const imagePullFailed: Rule<Question> = ({ pod, fleet }) => {
  const container = pod.containers.find(
    (one) => one.state.kind === "waiting" && isImageReason(one.state.reason),
  );
  if (container?.state.kind !== "waiting") return undefined;
  const { reason, message: waiting } = container.state;
  const event = fleet.events
    .ofPod(pod.namespace, pod.name)
    .find((one) => one.reason === "Failed" && /image/i.test(one.message) && !/Error: \w+$/.test(one.message));
  const message = (event?.message || waiting).replace(/^Failed to pull image "[^"]*": /, "");
  const failure = FAILURES.find(({ says }) => says.test(`${message} ${waiting} ${reason}`));
  const finding = containerFinding("ImagePullFailed", pod, container);
  const quoted = message ? `: ${cutText(message, 160)}` : "";
  const sure: Sure = failure?.passes
    ? { certainty: "medium", why: "the kubelet reports it, and it may pass by itself" }
    : finding.sure;
  return {
    ...finding,
    sure,
    evidence: [...finding.evidence, ...(event ? [eventEvidence(event)] : [])],
    sentence: `${pod.name} is on ${pod.nodeName} and cannot pull the image ${container.image}${failure ? `, since ${failure.what}` : ""}${quoted}.`,
    step: `image ${container.image} of ${containerInWords(container)} cannot be pulled${failure ? `: ${failure.what}` : ""}`,
    next: [
      ...(failure ? [failure.next] : []),
      `kubectl -n ${shellWord(pod.namespace)} describe pod ${shellWord(pod.name)}`,
    ],
  };
};
