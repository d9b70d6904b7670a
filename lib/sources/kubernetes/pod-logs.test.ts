import { afterEach, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../testing/api-server/api-server.ts";
import { aPodObject } from "../../testing/objects.ts";
import { systemClock } from "./clock.ts";
import { connectionToUrl } from "./connection.ts";
import { readContainerLogs } from "./pod-logs.ts";

let server: ApiServer;
afterEach(() => server.close());

async function read(logs: Record<string, string>, restarted = false, pod = "p") {
  const objects = [aPodObject("p", { spec: { containers: [{ name: "main" }, { name: "side" }] } })];
  server = await startApiServer({ objects, logs });
  const container = { namespace: "ml", pod, container: "main", restarted };
  return await readContainerLogs(connectionToUrl(server.url, "test"), container, systemClock);
}

describe("readContainerLogs", () => {
  it("gives the last 200 lines of a run, without secrets", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index} password=x${index}\n`);
    const { current, previous } = await read({ "ml/p/main": lines.join(""), "ml/p/side": "no" });
    expect(current?.split("\n").filter(Boolean)).toHaveLength(200);
    expect(current).toMatch(/^line 100 password=\[redacted\]\n/);
    expect(previous).toBeUndefined();
    expect(server.requests).toMatchObject([
      { query: { container: "main", tailLines: "200", limitBytes: "262144" } },
    ]);
  });

  it("gives the run before too, where it was restarted", async () => {
    const logs = { "ml/p/main": "again\n", "ml/p/main/previous": "CUDA out of memory\n" };
    expect(await read(logs, true)).toEqual({ current: "again\n", previous: "CUDA out of memory\n" });
  });

  it("has no log of a container that has not started, or whose run before is forgotten", async () => {
    expect(await read({}, true)).toEqual({ current: undefined, previous: undefined });
  });

  it("has the end of a log of long lines", async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `${"x".repeat(4_000)} ${index}\n`);
    const { current } = await read({ "ml/p/main": lines.join("") });
    expect(current).toMatch(/ 199\n$/);
  });

  it("throws for a pod that is not there", async () => {
    await expect(read({}, false, "gone")).rejects.toMatchObject({
      code: "absent",
      message: expect.stringContaining('pods "gone" not found'),
    });
  });

  it("says which right is missing", async () => {
    server = await startApiServer({
      objects: [aPodObject("p", { spec: { containers: [{ name: "main" }] } })],
    });
    server.faults.fail("pods", 403);
    const container = { namespace: "ml", pod: "p", container: "main", restarted: false };
    const reading = readContainerLogs(connectionToUrl(server.url, "test"), container, systemClock);
    await expect(reading).rejects.toMatchObject({
      code: "forbidden",
      hint: expect.stringContaining("resources [pods/log], verbs [get]"),
    });
  });
});
