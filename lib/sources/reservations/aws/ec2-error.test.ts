import { describe, expect, it } from "vitest";
import { SourceError } from "../../source-error.ts";
import { ec2Error } from "./ec2-error.ts";

const call = { action: "DescribeInstances", region: "us-east-2" };
const named = (name: string, details: object = {}) =>
  Object.assign(new Error("said"), { name, $metadata: {}, ...details });

describe("ec2Error", () => {
  it.each<[string, unknown, string]>([
    [
      "a code that is known",
      named("ExpiredTokenException", { $metadata: { httpStatusCode: 403 } }),
      "unauthorized",
    ],
    ["a code that is not, with 401", named("New", { $metadata: { httpStatusCode: 401 } }), "unauthorized"],
    ["a code that is not, with 403", named("New", { $metadata: { httpStatusCode: 403 } }), "forbidden"],
    ["a code that is not, with 429", named("New", { $metadata: { httpStatusCode: 429 } }), "rate-limited"],
    ["a code that is not, with 400", named("New", { $metadata: { httpStatusCode: 400 } }), "invalid"],
    ["a code that is not, with 503", named("New", { $metadata: { httpStatusCode: 503 } }), "unreachable"],
    ["a name of every object", named("constructor"), "unreachable"],
    ["a failed connection", named("Error", { code: "ENOTFOUND" }), "unreachable"],
    ["what is no error", "boom", "unreachable"],
  ])("%s", (_, error, code) => {
    expect(ec2Error(error, call)).toMatchObject({
      code,
      message: expect.stringMatching(/^ec2:DescribeInstances in us-east-2: /),
      cause: error,
    });
  });

  it("cuts the long encoded message of a refusal", () => {
    const error = Object.assign(named("UnauthorizedOperation"), { message: "x".repeat(5_000) });
    expect(ec2Error(error, call).message.length).toBeLessThan(400);
  });

  it("says the system's code where an error has no message", () => {
    expect(ec2Error(Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }), call).message).toContain(
      "ECONNREFUSED",
    );
  });

  it.each<[unknown, number | undefined]>([
    ["30", 30_000],
    ["99999", 900_000],
    ["Tue, 01 Dec 2026 12:00:00 GMT", undefined],
    ["-1", undefined],
    [undefined, undefined],
  ])("reads Retry-After: %s as %s ms", (value, ms) => {
    const error = named("RequestLimitExceeded", { $response: { headers: { "retry-after": value } } });
    expect(ec2Error(error, call).retryAfterMs).toBe(ms);
  });

  it("leaves a SourceError as it is", () => {
    const error = new SourceError("invalid", "x");
    expect(ec2Error(error, call)).toBe(error);
  });
});
