import { describe, expect, test } from "vitest";
import { NO_FACTS } from "../../model/facts/facts.ts";
import { aContainer, aNode, anEvent, aPod, NOW } from "../../testing/builders.ts";
import { aFleet } from "../../testing/fleet-builder.ts";
import { aStorageClass, aVolume, aVolumeClaim, refusedWith, within } from "../../testing/scheduling-facts.ts";
import { diagnose } from "../diagnose.ts";

const known = <T>(items: readonly T[]) => ({ known: true, items });
const ZONE = "topology.kubernetes.io/zone";
const node = (name: string, zone: string, rest: Parameters<typeof aNode>[0] = {}) =>
  aNode({ name, labels: { [ZONE]: zone, "kubernetes.io/hostname": name }, ...rest });

describe("a pod with a volume", () => {
  const verdict = (
    {
      claims = [],
      volumes = [],
      classes = [],
    }: {
      claims?: ReturnType<typeof aVolumeClaim>[];
      volumes?: ReturnType<typeof aVolume>[];
      classes?: ReturnType<typeof aStorageClass>[];
    },
    message = "0/2 nodes are available: 1 node(s) had volume node affinity conflict, 1 Insufficient nvidia.com/gpu.",
    isRead = true,
  ) =>
    diagnose(
      aFleet({
        // The GPUs of zone a are taken, those of zone b are free.
        nodes: [node("a", "east-a"), node("b", "east-b")],
        pods: [
          aPod({ nodeName: "a", gpus: 8 }),
          aPod({ name: "waits", volumeClaims: ["home"], ...refusedWith(message) }),
        ],
        facts: {
          ...NO_FACTS,
          volumeClaims: { known: isRead, items: claims },
          volumes: { known: isRead, items: volumes },
          storageClasses: known(classes),
        },
      }),
      NOW,
    ).find((one) => one.name === "waits");
  const home = aVolumeClaim({ name: "home" });
  const pending = aVolumeClaim({ name: "home", volumeName: undefined, phase: "Pending" });
  const inZone = (key: string, ...zones: string[]) => [
    aVolume({ name: "home-volume", nodeAffinity: within(key, ...zones) }),
  ];

  test.each([
    [
      "tied to the other zone",
      { claims: [home], volumes: inZone(ZONE, "east-a") },
      "VolumeZoneConflict",
      "high",
    ],
    [
      "tied by the zone label's old name",
      { claims: [home], volumes: inZone("failure-domain.beta.kubernetes.io/zone", "east-a") },
      "VolumeZoneConflict",
      "high",
    ],
    [
      "local to another node",
      { claims: [home], volumes: inZone("kubernetes.io/hostname", "a") },
      "VolumeZoneConflict",
      "high",
    ],
    [
      "tied to both zones",
      { claims: [home], volumes: inZone(ZONE, "east-a", "east-b") },
      "SchedulerDelay",
      undefined,
    ],
    [
      "usable anywhere",
      { claims: [home], volumes: [aVolume({ name: "home-volume" })] },
      "SchedulerDelay",
      undefined,
    ],
    [
      "that may only be made in the other zone",
      {
        claims: [pending],
        classes: [aStorageClass({ name: "standard", allowedTopologies: within(ZONE, "east-a") })],
      },
      "VolumeZoneConflict",
      "high",
    ],
    [
      "that is made where the pod goes",
      { claims: [pending], classes: [aStorageClass({ name: "standard" })] },
      "SchedulerDelay",
      undefined,
    ],
    ["that is not among those read", { claims: [home] }, "VolumeZoneConflict", "medium"],
  ])("%s", (_, volumes, reason, certainty) => {
    const found = verdict(volumes);
    expect(found?.reason).toBe(reason);
    if (certainty !== undefined) expect(found?.certainty).toBe(certainty);
  });

  test("that is never made", () => {
    const message = "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.";
    const classes = [aStorageClass({ name: "standard", waitsForConsumer: false })];
    expect(verdict({ claims: [pending], classes }, message)).toMatchObject({
      reason: "OtherResourcesExhausted",
      certainty: "high",
    });
  });

  test.each([
    [
      "are free elsewhere only",
      [aVolume({ phase: "Available", nodeAffinity: within(ZONE, "east-a") })],
      "VolumeZoneConflict",
    ],
    ["are all taken", [aVolume({ phase: "Bound" })], "OtherResourcesExhausted"],
    [
      "are free here",
      [aVolume({ phase: "Available", nodeAffinity: within(ZONE, "east-b") })],
      "SchedulerDelay",
    ],
  ])("of a class whose local volumes %s", (_, volumes, reason) => {
    const message = "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.";
    const classes = [aStorageClass({ name: "standard", provisioner: "kubernetes.io/no-provisioner" })];
    expect(verdict({ claims: [pending], volumes, classes }, message)?.reason).toBe(reason);
  });

  test("that does not exist", () => {
    const message = '0/2 nodes are available: persistentvolumeclaim "home" not found.';
    expect(verdict({}, message)).toMatchObject({ reason: "ContainerConfigError", layer: "L4" });
  });

  test("that cannot be read", () => {
    expect(verdict({}, undefined, false)).toMatchObject({
      reason: "VolumeZoneConflict",
      certainty: "medium",
    });
  });
});

describe("a pod with rules about other pods", () => {
  const app = (name: string) => [{ key: "app", operator: "In", values: [name] }];
  const rule = (topologyKey: string, name: string) => ({ topologyKey, selector: app(name), namespaces: [] });
  const placed = (name: string, nodeName: string, rest: Parameters<typeof aPod>[0] = {}) =>
    aPod({ gpus: 0, nodeName, labels: { app: name }, ...rest });
  const verdict = (
    pod: Parameters<typeof aPod>[0],
    others: ReturnType<typeof aPod>[],
    message = "0/2 nodes are available.",
  ) =>
    diagnose(
      aFleet({
        nodes: [node("a", "east-a", { gpus: 0 }), node("b", "east-b")],
        pods: [
          ...others,
          aPod({
            name: "waits",
            labels: { app: "train" },
            hasPodPlacementRules: true,
            ...refusedWith(message),
            ...pod,
          }),
        ],
      }),
      NOW,
    ).find((one) => one.name === "waits")?.reason;

  test.each([
    [
      "has to be with a pod that runs elsewhere",
      { podAffinity: [rule(ZONE, "cache")] },
      [placed("cache", "a")],
      "TopologyUnsatisfied",
    ],
    ["is with it", { podAffinity: [rule(ZONE, "cache")] }, [placed("cache", "b")], "SchedulerDelay"],
    [
      "has to be with a pod that is not there",
      { podAffinity: [rule(ZONE, "cache")] },
      [],
      "TopologyUnsatisfied",
    ],
    [
      "is the first of a group that keeps together",
      { podAffinity: [rule(ZONE, "train")] },
      [],
      "SchedulerDelay",
    ],
    [
      "has to be with a pod of another namespace",
      { podAffinity: [{ ...rule(ZONE, "cache"), namespaces: ["infra"] }] },
      [placed("cache", "b")],
      "TopologyUnsatisfied",
    ],
    [
      "must not be with a pod of any namespace",
      { podAntiAffinity: [{ ...rule("kubernetes.io/hostname", "train"), anyNamespace: true as const }] },
      [placed("train", "b", { namespace: "other" })],
      "TopologyUnsatisfied",
    ],
    [
      "is spread over more domains than there are",
      { topologySpread: [{ topologyKey: ZONE, maxSkew: 1, minDomains: 3, selector: app("train") }] },
      [placed("train", "a"), placed("train", "b")],
      "TopologyUnsatisfied",
    ],
    [
      "must not be with one that runs there",
      { podAntiAffinity: [rule("kubernetes.io/hostname", "train")] },
      [placed("train", "b")],
      "TopologyUnsatisfied",
    ],
    [
      "must not be with one that runs elsewhere",
      { podAntiAffinity: [rule("kubernetes.io/hostname", "train")] },
      [placed("train", "a")],
      "SchedulerDelay",
    ],
    [
      "is kept away by one that runs there",
      {},
      [placed("x", "b", { podAntiAffinity: [rule(ZONE, "train")] })],
      "TopologyUnsatisfied",
    ],
    [
      "would skew the spread",
      { topologySpread: [{ topologyKey: ZONE, maxSkew: 1, selector: app("train") }] },
      [placed("train", "b")],
      "TopologyUnsatisfied",
    ],
    [
      "keeps the spread",
      { topologySpread: [{ topologyKey: ZONE, maxSkew: 2, selector: app("train") }] },
      [placed("train", "b")],
      "SchedulerDelay",
    ],
    [
      "is spread over what the node has not",
      { topologySpread: [{ topologyKey: "rack", maxSkew: 1, selector: app("train") }] },
      [],
      "TopologyUnsatisfied",
    ],
  ])("%s", (_, pod, others, reason) => {
    expect(verdict(pod, others)).toBe(reason);
  });
});

describe("a pod whose rules would allow it, by what is read", () => {
  const REFUSED = "0/1 nodes are available: 1 node(s) didn't match pod topology spread constraints.";
  test.each([
    ["is refused for them now", NOW - 60_000, "TopologyUnsatisfied", "low"],
    ["was refused for them before", NOW - 3_600_000, "SchedulerDelay", "low"],
  ])("%s", (_, lastAt, reason, certainty) => {
    const pod = aPod({ name: "waits", hasPodPlacementRules: true, ...refusedWith(REFUSED) });
    const about = { kind: "Pod", namespace: "ml", name: "waits", uid: "" };
    const events = [anEvent({ about, message: REFUSED, lastAt })];
    const fleet = aFleet({ nodes: [aNode({ name: "a" })], pods: [pod], events });
    expect(diagnose(fleet, NOW)[0]).toMatchObject({ reason, certainty });
  });
});

describe("a scheduler", () => {
  const verdict = (schedulerName: string, lastPlaced: number | undefined, created = NOW - 1_800_000) =>
    diagnose(
      aFleet({
        nodes: [aNode({ name: "a" })],
        pods: [
          aPod({ name: "waits", schedulerName, conditions: [], createdAt: created }),
          ...(lastPlaced === undefined
            ? []
            : [
                aPod({
                  gpus: 0,
                  nodeName: "a",
                  schedulerName,
                  conditions: [
                    {
                      type: "PodScheduled",
                      status: "True",
                      reason: "",
                      message: "",
                      lastTransitionTime: lastPlaced,
                    },
                  ],
                }),
              ]),
        ],
      }),
      NOW,
    ).find((one) => one.name === "waits")?.reason;

  test.each([
    ["of another name never seen", "volcano", undefined, undefined, "SchedulerAbsent"],
    ["of another name that places others", "volcano", NOW - 60_000, undefined, "SchedulerDelay"],
    [
      "of the cluster that has placed none since",
      "default-scheduler",
      NOW - 7_200_000,
      undefined,
      "SchedulerAbsent",
    ],
    ["of the cluster that places others", "default-scheduler", NOW - 60_000, undefined, "SchedulerDelay"],
    ["that has had little time", "default-scheduler", NOW - 7_200_000, NOW - 90_000, "SchedulerDelay"],
  ])("%s", (_, name, lastPlaced, created, reason) => {
    expect(verdict(name, lastPlaced, created)).toBe(reason);
  });

  test("has a pod of its own that fails", () => {
    const state = { kind: "waiting", reason: "CrashLoopBackOff", message: "" } as const;
    const own = aPod({
      namespace: "volcano-system",
      name: "volcano-scheduler-1",
      gpus: 0,
      nodeName: "a",
      containers: [aContainer({ ready: false, state })],
    });
    const pods = [own, aPod({ name: "waits", schedulerName: "volcano", conditions: [] })];
    const found = diagnose(aFleet({ nodes: [aNode({ name: "a" })], pods }), NOW)[0];
    expect(found).toMatchObject({ reason: "SchedulerAbsent", name: "waits" });
    expect(found?.sentence).toContain("its pod volcano-system/volcano-scheduler-1 is");
  });

  test("lives by its events", () => {
    const about = { kind: "Pod", namespace: "ml", name: "other", uid: "" };
    const events = [anEvent({ about, component: "volcano", lastAt: NOW - 10_000 })];
    const pods = [aPod({ name: "waits", schedulerName: "volcano", conditions: [] })];
    expect(diagnose(aFleet({ nodes: [aNode()], pods, events }), NOW)[0]?.reason).toBe("SchedulerDelay");
  });
});
