import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { PodRecord } from "../../model/kubernetes.ts";
import { type FollowedServer, startFollowedServer } from "../../testing/followed-server.ts";
import { aPodObject } from "../../testing/objects.ts";
import { normalizePod } from "./normalize-pod.ts";

let followed: FollowedServer | undefined;
afterEach(() => followed?.close());

const pod = fc.integer({ min: 0, max: 5 }).map((index) => `p${index}`);
const changes = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("apply" as const), pod, node: fc.constantFrom("n1", "n2") }),
  },
  fc.record({ do: fc.constant("remove" as const), pod }),
);
const faults = fc.oneof(
  fc.record({ do: fc.constantFrom("close", "reset", "stall", "garbage", "forget", "expire") }),
  fc.record({ do: fc.constant("error" as const), code: fc.constantFrom(410, 500, 504) }),
  fc.record({
    do: fc.constant("fail" as const),
    code: fc.constantFrom(400, 401, 403, 404, 410, 429, 500, 503),
    times: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(10, 1_000, 40_000, 80_000) }),
);
const step = fc.oneof({ weight: 2, arbitrary: changes }, { weight: 3, arbitrary: faults });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const options = fc.record({ protobuf: fc.boolean(), watchList: fc.boolean() });

test("whatever goes wrong in whatever order, in the end the cache is what a fresh list gives", async () => {
  await fc.assert(
    fc.asyncProperty(options, fc.array(step, { minLength: 1, maxLength: 25 }), async (wires, steps) => {
      const run = await startFollowedServer({
        ...wires,
        objects: [aPodObject("p0")],
        bookmarkInterval: 3_600_000,
      });
      followed = run;
      for (const each of steps) {
        await take(run, each);
        await run.settle();
      }
      run.server.faults.clear();
      // Longer than the longest silence, and than the longest wait for a look at what was forbidden.
      await run.pass(150_000, 1_000);
      const expected = await freshList(run.server.url);
      await run.until(() => run.status("pods").state === "live" && same(run.read().pods.items, expected));
      expect(sorted(run.read().pods.items)).toEqual(expected);
      await run.close();
    }),
    { numRuns: 30 },
  );
}, 60_000);

async function take({ server, pass }: FollowedServer, each: Step): Promise<void> {
  switch (each.do) {
    case "apply":
      return server.apply([aPodObject(each.pod, { spec: { nodeName: each.node } })]);
    case "remove":
      return server.remove([{ kind: "Pod", namespace: "ml", name: each.pod }]);
    case "error":
      return server.faults.failWatches("pods", each.code);
    case "fail":
      return server.faults.fail("pods", each.code, { times: each.times });
    case "pass":
      return await pass(each.ms, 1_000);
    case "close":
      return server.faults.closeWatches("pods");
    case "reset":
      return server.faults.resetWatches("pods");
    case "stall":
      return server.faults.stallWatches("pods");
    case "garbage":
      return server.faults.garbage("pods");
    case "forget":
      return server.faults.forgetHistory();
    case "expire":
      return server.faults.expireContinueTokens();
    default:
      return each satisfies never;
  }
}

async function freshList(url: string): Promise<readonly PodRecord[]> {
  const response = await fetch(`${url}/api/v1/pods`);
  const { items }: { items: unknown[] } = await response.json();
  return sorted(items.map(normalizePod));
}

function sorted(pods: readonly PodRecord[]): readonly PodRecord[] {
  return [...pods].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function same(pods: readonly PodRecord[], expected: readonly PodRecord[]): boolean {
  return JSON.stringify(sorted(pods)) === JSON.stringify(expected);
}
