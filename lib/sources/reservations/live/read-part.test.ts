import { describe, expect, it } from "vitest";
import { SourceError } from "../../source-error.ts";
import { readPart } from "./read-part.ts";

const part = (read: () => Promise<string>) =>
  readPart({
    sourceId: "s",
    permission: "ec2:DescribeInstances",
    missing: "which instances run where",
    read,
  });

describe("readPart", () => {
  it("gives what was read", async () => {
    expect(await part(async () => "read")).toEqual({ value: "read", issues: [] });
  });

  it.each([
    ["forbidden", "ReservationPermissionMissing"],
    ["invalid", "ReservationPartUnread"],
    ["absent", "ReservationPartUnread"],
  ] as const)("turns %s into an issue that names the permission and what is missing", async (code, issue) => {
    const refused = await part(() => Promise.reject(new SourceError(code, "AWS said no")));
    expect(refused.value).toBeUndefined();
    expect(refused.issues).toEqual([
      { code: issue, severity: "warning", source: "s", message: expect.stringContaining("AWS said no") },
    ]);
    expect(refused.issues[0]?.message).toMatch(/^ec2:DescribeInstances .*which instances run where/);
  });

  it.each(["unreachable", "unauthorized", "rate-limited", "expired"] as const)(
    "throws on what may pass (%s), since the last whole answer is better than half of one",
    async (code) => {
      await expect(part(() => Promise.reject(new SourceError(code, "later")))).rejects.toMatchObject({
        code,
      });
    },
  );

  it("throws on what is no SourceError", async () => {
    await expect(part(() => Promise.reject(new TypeError("bug")))).rejects.toThrow(TypeError);
  });
});
