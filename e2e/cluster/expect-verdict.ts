import type { FleetView, LadderStepView, StuckView } from "../../lib/model/fleet-view.ts";
import { LAYERS, type Layer } from "../../lib/model/stages.ts";
import type { OverviewPage } from "../support/overview-page.ts";
import { readView, type Seamline } from "../support/seamline.ts";
import { expect } from "./cluster-test.ts";

/** What has to be said of one entry of the stuck list. */
export interface ExpectedVerdict {
  readonly reason: StuckView["reason"];
  readonly certainty?: StuckView["certainty"];
  readonly sentence: RegExp;
  /** What some piece of the evidence says, each of them. */
  readonly evidence: readonly RegExp[];
  /** Each layer's state and words; the one at fault is the only one that is `broken`. */
  readonly ladder: Readonly<Record<Layer, readonly [state: LadderStepView["state"], detail: RegExp]>>;
}

/** As the page reads a step out. */
const WORD: Readonly<Record<LadderStepView["state"], string>> = {
  ok: "fine",
  broken: "at fault",
  "not-reached": "not reached",
  unknown: "cannot be seen",
};

/** The entry of that namespace and name, or of the workload of that name, in /api/view; undefined where there is none. */
export async function stuckIn(
  seamline: Seamline,
  namespace: string,
  name: string,
): Promise<StuckView | undefined> {
  const { stuck } = await readView<FleetView>(seamline);
  const inNamespace = stuck.filter((entry) => entry.namespace === namespace);
  return inNamespace.find((entry) => entry.name === name || entry.workload?.name === name);
}

/** Waits until /api/view and the page, its row and its drawer, say of NAMESPACE/NAME, a pod or a workload, what is expected. */
export async function expectVerdict(
  seamline: Seamline,
  overview: OverviewPage,
  id: string,
  { reason, certainty, sentence, evidence, ladder }: ExpectedVerdict,
): Promise<void> {
  const [namespace = "", name = ""] = id.split("/");
  const layer = LAYERS.find((each) => ladder[each][0] === "broken");
  const steps = LAYERS.map((each) => {
    const [state, detail] = ladder[each];
    return [each, { state, detail: expect.stringMatching(detail) }];
  });
  await expect
    .poll(() => stuckIn(seamline, namespace, name))
    .toMatchObject({
      layer,
      reason,
      ...(certainty === undefined ? {} : { certainty }),
      sentence: expect.stringMatching(sentence),
      evidence: expect.arrayContaining(
        evidence.map((value) => expect.objectContaining({ value: expect.stringMatching(value) })),
      ),
      ladder: Object.fromEntries(steps),
    });

  const entry = await stuckIn(seamline, namespace, name);
  const shown = `${namespace}/${entry?.name}`;
  await overview.open(seamline.url);
  const row = overview.stuckPod(shown);
  await expect(row).toContainText(reason);
  const words = LAYERS.map((each) => `${each} ${WORD[ladder[each][0]]}`).join(", ");
  await expect(row.getByRole("img", { name: `At fault: ${layer}. ${words}` })).toBeVisible();
  await row.getByRole("link", { name: shown }).click();
  await expect(overview.drawer).toContainText(sentence);
  for (const value of evidence) await expect(overview.drawer).toContainText(value);
  for (const each of LAYERS) await expect(overview.layerStep(each)).toContainText(ladder[each][1]);
}
