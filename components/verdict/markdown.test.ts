import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StuckView } from "@/lib/model/fleet-view.ts";
import { codeSpan, escapeMarkdown, stuckMarkdown } from "./markdown.ts";

const NOW = Date.parse("2026-12-01T12:00:00Z");
const LINK = "http://127.0.0.1:3000/?pod=ml%2Fllama-0";

function aStuck(overrides: Partial<StuckView> = {}): StuckView {
  return {
    id: "pod/ml/llama-0",
    kind: "Pod",
    namespace: "ml",
    name: "llama-0",
    layer: "L2",
    reason: "GpuNotAdvertised",
    certainty: "high",
    certaintyWhy: "2 objects agree",
    sentence: "node-a is Ready and has 8 GPUs, but advertises none.",
    owner: "platform team",
    contact: null,
    gpus: 8,
    since: "2026-12-01T11:19:00Z",
    workload: { kind: "Job", namespace: "ml", name: "llama" },
    pool: "reservation/cr-0f3a",
    evidence: [
      {
        object: { kind: "Node", name: "node-a" },
        field: 'status.capacity["nvidia.com/gpu"]',
        value: "absent",
        at: "2026-12-01T11:19:00Z",
      },
    ],
    ladder: {
      L1: { state: "ok", detail: "cr-0f3a active" },
      L2: { state: "broken", detail: "1 node advertises no GPU" },
      L3: { state: "not-reached", detail: "" },
      L4: { state: "not-reached", detail: "" },
    },
    considered: [
      {
        nodes: ["node-a"],
        nodeCount: 1,
        pool: "reservation/cr-0f3a",
        gpusFree: 0,
        gpusTotal: 8,
        layer: "L2",
        why: "advertises none",
      },
    ],
    holders: [{ namespace: "ml", name: "other", node: "node-b", gpus: 1 }],
    next: ["kubectl -n gpu-operator logs driver-x8z2m --previous", "Then nothing is in the way."],
    blocksNext: [],
    count: 1,
    members: [],
    gang: null,
    isBlurred: false,
    ...overrides,
  };
}

const markdown = (overrides: Partial<StuckView> = {}) =>
  stuckMarkdown(aStuck(overrides), { link: LINK, now: NOW });

describe("stuckMarkdown", () => {
  it("says the whole verdict", () => {
    expect(
      markdown(),
    ).toBe(`**L2 GpuNotAdvertised**: Pod \`ml/llama-0\` is stuck, 8 GPUs, for 41 m (since 2026-12-01 11:19 UTC)

> node-a is Ready and has 8 GPUs, but advertises none.

- Whose move: **platform team**
- Sure: high, 2 objects agree
- Workload: Job \`ml/llama\`

**The four layers**

- L4 Workload: not reached
- L3 Scheduling: not reached
- L2 Provisioning: **at fault**, 1 node advertises no GPU
- L1 Capacity supply: ok, cr-0f3a active

**Evidence**

- Node \`node-a\`: \`status.capacity["nvidia.com/gpu"]\` = \`absent\` (2026-12-01 11:19 UTC)

**Where it could run**

- \`node-a\` of \`reservation/cr-0f3a\`: 0 of 8 GPUs free, L2 advertises none

**Who holds the GPUs**

- \`ml/other\` on \`node-b\`: 1 GPU

**Next step**

- \`kubectl -n gpu-operator logs driver-x8z2m --previous\`
- Then nothing is in the way.

${LINK}
`);
  });

  it("leaves out what there is none of", () => {
    const text = markdown({
      since: null,
      workload: null,
      evidence: [],
      considered: [],
      holders: [],
      next: [],
    });
    expect(text).toContain("is stuck, 8 GPUs\n");
    expect(text).not.toMatch(/Evidence|Where it could run|Who holds|Next step|Workload:\s*Job|since/);
  });

  it("keeps a hostile message on its own line", () => {
    const text = markdown({
      sentence: "x\n\n# Pwned\n<img src=x onerror=alert(1)> @here [click](https://evil.example)",
    });
    const line = text.split("\n")[2];
    expect(line).toMatch(/^> x /);
    expect(line).not.toMatch(/<img|@here|[^\\]\]\(|:\/\//);
  });
});

describe("escapeMarkdown", () => {
  it.each([
    ["plain words, 8 GPUs", "plain words, 8 GPUs"],
    ["a`b", "a\\`b"],
    ["a|b", "a\\|b"],
    ["**b** _i_ ~s~", "\\*\\*b\\*\\* \\_i\\_ \\~s\\~"],
    ["<b>&amp;", "&lt;b&gt;&amp;amp;"],
    ["[a](b)", "\\[a\\](b)"],
    ["@channel", "@\u200bchannel"],
    ["#12", "#\u200b12"],
    ["https://x.example", "https:\u200b//x.example"],
    ["www.x.example", "www\u200b.x.example"],
    ["a\r\nb\u202ec\u0000", "a b c"],
  ])("%j becomes %j", (text, expected) => {
    expect(escapeMarkdown(text)).toBe(expected);
  });
});

describe("codeSpan", () => {
  it.each([
    ["node-a", "`node-a`"],
    ["a`b", "``a`b``"],
    ["`", "`` ` ``"],
    ["", "` `"],
    ["a\nb", "`a b`"],
  ])("%j becomes %j", (text, expected) => {
    expect(codeSpan(text)).toBe(expected);
  });

  it("never ends early, whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("`", "a", " ", "\n", "\\", "|") }), (text) => {
        const span = codeSpan(text);
        const fence = /^`+/.exec(span)?.[0] ?? "";
        const inner = span.slice(fence.length, -fence.length);
        expect(span.endsWith(fence)).toBe(true);
        expect((inner.match(/`+/g) ?? []).some((run) => run.length === fence.length)).toBe(false);
        expect(span).not.toContain("\n");
      }),
    );
  });
});
