import type { Fleet } from "../../layers/fleet.ts";
import { nodePoolOf } from "../../layers/node-labels.ts";
import type { ProvisioningRequestRecord } from "../../model/facts/autoscaling.ts";
import type { Condition } from "../../model/kubernetes.ts";
import type { Reason } from "../../model/reasons.ts";
import { conditionEvidence, factEvidence } from "../fact-evidence.ts";
import type { Finding, Sure } from "../question.ts";
import { cutText, shellWord, timeInWords } from "../wording.ts";
import { classifyLaunchError, type LaunchFault } from "./launch-errors.ts";
import { NORMAL_LAUNCH_MS } from "./launch-state.ts";
import { isOfGroup, nodeGroups } from "./node-groups.ts";
import { shortGroup } from "./scale-up-words.ts";

/**
 * What a ProvisioningRequest says of the pods that it was made for; undefined where it was served, or is within the
 * normal time. `who`: what waits for it, in words.
 * https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/provisioningrequest/README.md
 */
export function provisioningVerdict(
  request: ProvisioningRequestRecord,
  who: string,
  fleet: Fleet,
  now: number,
): Finding | undefined {
  const is = (type: string) => request.conditions.find((one) => one.type === type && one.status === "True");
  const state = { request, who, fleet, now };
  const revoked = is("CapacityRevoked");
  const failed = is("Failed");
  if (failed) return failedRequest(state, failed);
  if (revoked) {
    const what = "the machines that it got were taken back";
    return found(state, "ReservationEnded", sureBy("the request says so"), what, revoked);
  }
  const provisioned = request.conditions.find(({ type }) => type === "Provisioned");
  if (provisioned?.status === "True") return undefined;
  const accepted = is("Accepted");
  const since = accepted?.lastTransitionTime ?? request.createdAt ?? now;
  if (now - since < NORMAL_LAUNCH_MS) return undefined;
  if (!accepted) {
    const what = `no autoscaler has taken it up since ${timeInWords(since, now)}`;
    return found(
      state,
      "AutoscalerNotActing",
      sureBy("the request has no condition that says Accepted"),
      what,
    );
  }
  return lostGroup(state, accepted) ?? stillQueued(state, accepted, provisioned);
}

interface State {
  readonly request: ProvisioningRequestRecord;
  readonly who: string;
  readonly fleet: Fleet;
  readonly now: number;
}

const REASON_OF: Readonly<Record<LaunchFault, Reason>> = {
  stockout: "CloudStockout",
  quota: "QuotaExceeded",
  "reservation-full": "ReservationExhausted",
  network: "NodeLaunchFailed",
  permission: "NodeLaunchFailed",
  config: "NodeLaunchFailed",
  throttled: "NodeLaunchFailed",
  "not-registered": "NodeNotRegistered",
};

/** A class that launches nothing, but looks for room on the nodes that there are. */
const CHECKS_ONLY = /^check-capacity\./;

/** A largest size of our own, as GKE and Cluster Autoscaler tell it. */
const SAYS_CEILING =
  /max(imum)?[ -]?(node ?(pool|group)s? )?size|Max\w*SizeReached|max(imum)? cluster [^.;]{0,40}limit/i;

/** The autoscaler has looked and would grow nothing: no answer of a provider. */
const SAYS_NO_ROOM = /capacity ?is ?not ?found|not find (the )?requested capacity/i;

/** What the autoscaler itself decides against it; undefined where the provider, or nobody, has answered. */
function ownRefusal(state: State, condition: Condition, what: string): Finding | undefined {
  const text = `${condition.reason} ${condition.message}`;
  if (SAYS_CEILING.test(text)) {
    return found(state, "AutoscalerLimitReached", sureBy("the request says so"), what, condition);
  }
  if (!SAYS_NO_ROOM.test(text)) return undefined;
  const isCheck = CHECKS_ONLY.test(state.request.className);
  const why = isCheck
    ? "its class launches nothing: it waits for room on the nodes that there are"
    : "the autoscaler finds no node group to grow for it; which of them it has looked at is not read";
  const reason = isCheck ? "GpusBusy" : "AutoscalerNotActing";
  return found(state, reason, { certainty: "medium", why }, what, condition);
}

function failedRequest(state: State, failed: Condition): Finding {
  const what = `it has failed (${cutText(failed.message || failed.reason, 200)})`;
  const own = ownRefusal(state, failed, what);
  if (own) return own;
  const error = classifyLaunchError(`${failed.reason} ${failed.message}`);
  if (error) return found(state, REASON_OF[error.fault], sureBy("the request says so"), what, failed);
  const sure: Sure = { certainty: "low", why: "the request has failed, and does not say why" };
  return found(state, "NodeLaunchFailed", sure, what, failed);
}

/** It stays accepted for ever once the node group that it was queued on is gone. */
function lostGroup(state: State, accepted: Condition): Finding | undefined {
  const { request, fleet, now } = state;
  const group = detail(request, /^node_?group/i);
  const pool = detail(request, /^node_?pool/i);
  const groups = [...nodeGroups(fleet).values()].filter(({ status }) => status !== undefined);
  if ((group ?? pool) === undefined || groups.length === 0) return undefined;
  const isThere = groups.some(({ name }) =>
    group === undefined ? name.includes(pool ?? "") : name === shortGroup(group),
  );
  const hasNode = [...fleet.nodes.values()].some(
    ({ record }) =>
      (pool !== undefined && nodePoolOf(record) === pool) ||
      (group !== undefined && isOfGroup(record, shortGroup(group))),
  );
  if (isThere || hasNode) return undefined;
  const name = pool ?? shortGroup(group ?? "");
  const sure: Sure = {
    certainty: "high",
    why: "the request names its node group, and the autoscaler's own status does not have it any more",
  };
  const since = timeInWords(accepted.lastTransitionTime ?? now, now);
  const what = `it is accepted since ${since} and waits for ${name}, a node group that is gone, so it is never served`;
  const finding = found(state, "AutoscalerNotActing", sure, what, accepted);
  const record = fleet.facts.autoscalerStatus.items[0];
  const evidence = [
    ...finding.evidence,
    factEvidence(request, "status.provisioningClassDetails", `node group ${group ?? pool}`),
    ...(record
      ? [
          factEvidence(
            record,
            "nodeGroups",
            `${groups.length} groups, ${name} is none of them`,
            record.updatedAt,
          ),
        ]
      : []),
  ];
  return {
    ...finding,
    evidence,
    next: [`Make a new request: let the queue retry, or submit ${state.who} again.`],
  };
}

/** Accepted, and the provider has not given the machines yet. */
function stillQueued(state: State, accepted: Condition, provisioned: Condition | undefined): Finding {
  const { request, now } = state;
  const message = provisioned?.message ?? "";
  const since = timeInWords(accepted.lastTransitionTime ?? now, now);
  const told = message === "" ? "" : ` (${cutText(message, 200)})`;
  const what = `it is accepted since ${since} and not served yet${told}`;
  const condition = provisioned ?? accepted;
  const own = ownRefusal(state, condition, what);
  if (own) return own;
  const error = classifyLaunchError(`${condition.reason} ${message}`);
  if (CHECKS_ONLY.test(request.className)) {
    const sure: Sure = {
      certainty: "medium",
      why: "its class launches nothing: it waits for room on the nodes that there are",
    };
    return found(state, "GpusBusy", sure, what, condition);
  }
  if (error) return found(state, REASON_OF[error.fault], sureBy("the request says so"), what, condition);
  const why = "it is queued at the provider, which does not say why it takes so long";
  return found(state, "CloudStockout", { certainty: "medium", why }, what, condition);
}

function sureBy(why: string): Sure {
  return { certainty: "high", why };
}

function detail(request: ProvisioningRequestRecord, key: RegExp): string | undefined {
  return Object.entries(request.details).find(([name, value]) => key.test(name) && value !== "")?.[1];
}

function found(
  { request, who }: State,
  reason: Reason,
  sure: Sure,
  what: string,
  condition?: Condition,
): Finding {
  return {
    reason,
    sure,
    evidence: [
      condition
        ? conditionEvidence(request, condition)
        : factEvidence(request, "status.conditions", "no Accepted", request.createdAt),
    ],
    sentence: `${who} waits for the machines of ProvisioningRequest ${request.name} (${request.className}): ${what}.`,
    step: `ProvisioningRequest ${request.name}: ${what}`,
    next: [
      `kubectl -n ${shellWord(request.namespace)} describe provisioningrequest ${shellWord(request.name)}`,
    ],
    reads: ["provisioningRequests", "autoscalerStatus"],
  };
}
