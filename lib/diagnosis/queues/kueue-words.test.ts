import { describe, expect, test } from "vitest";
import { kueueWords } from "./kueue-words.ts";

const set = (text: string) => `couldn't assign flavors to pod set main: ${text}`;

describe("what Kueue says of a workload", () => {
  test.each([
    ["ExceedsMaxQuota", "", "too-large"],
    ["Pending", set("insufficient unused quota for nvidia.com/gpu in flavor a, 8 more needed"), "quota"],
    [
      "Pending",
      set(
        "insufficient quota for nvidia.com/gpu in flavor a, previously considered podsets requests (0) + current podset request (16) > maximum capacity (8)",
      ),
      "too-large",
    ],
    ["Pending", set("resource cpu unavailable in ClusterQueue"), "uncovered"],
    ["Pending", set("flavor a doesn't match node affinity"), "no-flavor"],
    [
      "Pending",
      set("untolerated taint {nvidia.com/gpu present NoSchedule <nil>} in flavor a"),
      "untolerated",
    ],
    [
      "Pending",
      set("untolerated taint {spot true NoSchedule <nil>} in flavor a, flavor b doesn't match node affinity"),
      "no-flavor",
    ],
    [
      "Pending",
      set(
        "untolerated taint {spot true NoSchedule <nil>} in flavor a, insufficient unused quota for nvidia.com/gpu in flavor b, 2 more needed",
      ),
      "quota",
    ],
    ["Pending", set('topology "default" allows to fit only 2 out of 4 pod(s)'), "topology"],
    ["Inadmissible", "ClusterQueue gpus is inactive", "stopped"],
    ["Inadmissible", "LocalQueue lq doesn't exist", "stopped"],
    ["Inadmissible", "Workload namespace doesn't match ClusterQueue selector", "refused"],
    [
      "Inadmissible",
      "resources didn't satisfy LimitRange constraints: spec.podSets[0]: Invalid value: 8",
      "limit-range",
    ],
    [
      "Inadmissible",
      "resources validation failed: spec.podSets[0]: Invalid value: requests must not exceed its limits",
      "invalid",
    ],
    ["Pending", "", undefined],
  ])("%s %s: %s", (reason, message, words) => {
    expect(kueueWords(reason, message)).toBe(words);
  });
});
