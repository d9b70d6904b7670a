import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Decision, decide, type GateRequest, type GateRules } from "./gate.ts";

const LOOPBACK: GateRules = { boundHost: "127.0.0.1", allowedHosts: [] };
const OPEN: GateRules = { boundHost: "0.0.0.0", allowedHosts: ["seamline.example"] };

function aRequest(overrides: Partial<GateRequest> = {}): GateRequest {
  const headers = { host: "127.0.0.1:3000", ...overrides.headers };
  return { method: "GET", target: "/", hostHeaders: 1, ...overrides, headers };
}

const aPost = (headers: GateRequest["headers"] = {}, target = "/api/demo") =>
  aRequest({
    method: "POST",
    target,
    headers: { "content-type": "application/json", "content-length": "10", ...headers },
  });

const statusOf = (decision: Decision) => (decision.allow ? 200 : decision.status);

const fromSite = (site: string, mode: string, dest: string) => ({
  "sec-fetch-site": site,
  "sec-fetch-mode": mode,
  "sec-fetch-dest": dest,
});

describe("decide", () => {
  it.each<[string, GateRequest, GateRules, number]>([
    ["a program", aRequest(), LOOPBACK, 200],
    ["localhost", aRequest({ headers: { host: "LocalHost:8080" } }), LOOPBACK, 200],
    ["IPv6 loopback", aRequest({ headers: { host: "[::1]:3000" } }), LOOPBACK, 200],
    [
      "a stranger's name (DNS rebinding)",
      aRequest({ headers: { host: "evil.example:3000" } }),
      LOOPBACK,
      421,
    ],
    [
      "a name that only begins like ours",
      aRequest({ headers: { host: "127.0.0.1.evil.example" } }),
      LOOPBACK,
      421,
    ],
    ["a name that only ends like ours", aRequest({ headers: { host: "evil.localhost" } }), LOOPBACK, 421],
    ["credentials in the host", aRequest({ headers: { host: "localhost@evil.example" } }), LOOPBACK, 421],
    ["an address on a loopback server", aRequest({ headers: { host: "10.0.0.5:3000" } }), LOOPBACK, 421],
    ["an address on an open server", aRequest({ headers: { host: "10.0.0.5:3000" } }), OPEN, 200],
    ["a stranger's name on an open server", aRequest({ headers: { host: "evil.example" } }), OPEN, 421],
    ["an allowed name", aRequest({ headers: { host: "seamline.example" } }), OPEN, 200],
    ["no host", aRequest({ headers: { host: undefined }, hostHeaders: 0 }), LOOPBACK, 400],
    ["two hosts", aRequest({ hostHeaders: 2 }), LOOPBACK, 400],

    ["HEAD", aRequest({ method: "HEAD" }), LOOPBACK, 200],
    ["OPTIONS", aRequest({ method: "OPTIONS" }), LOOPBACK, 405],
    ["DELETE", aRequest({ method: "DELETE", target: "/api/view" }), LOOPBACK, 405],
    ["POST to the page", aPost({}, "/"), LOOPBACK, 405],
    ["POST to the view", aPost({}, "/api/view"), LOOPBACK, 405],
    ["POST to the demo", aPost(), LOOPBACK, 200],
    ["POST of a form", aPost({ "content-type": "text/plain" }), LOOPBACK, 415],
    ["POST of a Flight payload", aPost({ "content-type": "text/x-component" }), LOOPBACK, 415],
    ["a Server Function", aPost({ "next-action": "abc" }), LOOPBACK, 415],
    ["a Server Function by GET", aRequest({ headers: { "next-action": "abc" } }), LOOPBACK, 415],
    ["POST without length", aPost({ "content-length": undefined }), LOOPBACK, 411],
    ["POST of much", aPost({ "content-length": "1025" }), LOOPBACK, 413],

    ["our page", aRequest({ headers: fromSite("same-origin", "cors", "empty") }), LOOPBACK, 200],
    ["the address bar", aRequest({ headers: fromSite("none", "navigate", "document") }), LOOPBACK, 200],
    [
      "a link elsewhere",
      aRequest({ headers: fromSite("cross-site", "navigate", "document") }),
      LOOPBACK,
      200,
    ],
    [
      "a link to the API",
      aRequest({ target: "/api/view", headers: fromSite("cross-site", "navigate", "document") }),
      LOOPBACK,
      403,
    ],
    ["a frame elsewhere", aRequest({ headers: fromSite("cross-site", "navigate", "iframe") }), LOOPBACK, 403],
    ["a script elsewhere", aRequest({ headers: fromSite("cross-site", "no-cors", "script") }), LOOPBACK, 403],
    [
      "another port of this machine",
      aRequest({ headers: fromSite("same-site", "no-cors", "image") }),
      LOOPBACK,
      403,
    ],
    ["our origin", aPost({ origin: "http://127.0.0.1:3000" }), LOOPBACK, 200],
    ["our origin behind TLS", aPost({ origin: "https://127.0.0.1:3000" }), LOOPBACK, 200],
    ["an origin elsewhere", aPost({ origin: "http://evil.example" }), LOOPBACK, 403],
    ["an origin on another port", aPost({ origin: "http://127.0.0.1:8080" }), LOOPBACK, 403],
    ["an opaque origin", aPost({ origin: "null" }), LOOPBACK, 403],

    ["a query", aRequest({ target: "/?pool=reservation%2Fa&_rsc=1" }), LOOPBACK, 200],
    ["a pod", aRequest({ target: "/api/pods/ml/trainer-0.a" }), LOOPBACK, 200],
    ["an absolute target", aRequest({ target: "http://127.0.0.1:3000/" }), LOOPBACK, 400],
    ["a doubled slash", aRequest({ target: "//api/view" }), LOOPBACK, 400],
    ["an encoded slash", aRequest({ target: "/api%2fview" }), LOOPBACK, 400],
    ["a backslash", aRequest({ target: "/api\\view" }), LOOPBACK, 400],
    ["dots", aRequest({ target: "/x/../api/view" }), LOOPBACK, 400],
    ["encoded dots", aRequest({ target: "/x/%2E%2e/api/view" }), LOOPBACK, 400],
    ["an asterisk", aRequest({ target: "*" }), LOOPBACK, 400],
  ])("%s", (_name, request, rules, status) => {
    expect(statusOf(decide(request, rules))).toBe(status);
  });

  const word = fc.oneof(
    fc.constantFrom(
      "127.0.0.1",
      "localhost",
      "[::1]",
      "127.0.0.1:3000",
      "evil.example",
      "http://",
      "@",
      ":",
      ".",
      "/",
      "null",
    ),
    fc.string({ maxLength: 6 }),
  );
  const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(""));

  it("lets through no host but loopback ones, however it is written", () => {
    fc.assert(
      fc.property(text, (host) => {
        if (!decide(aRequest({ headers: { host } }), LOOPBACK).allow) return;
        expect(new URL(`http://${host}`).hostname).toMatch(/^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/);
      }),
      { numRuns: 5000 },
    );
  });

  it("lets nothing be written but the demo, and only from its own origin", () => {
    const header = fc.option(text, { nil: undefined });
    const site = fc.constantFrom(undefined, "same-origin", "same-site", "cross-site", "none");
    const method = fc.constantFrom(
      "GET",
      "HEAD",
      "POST",
      "PUT",
      "PATCH",
      "DELETE",
      "TRACE",
      "OPTIONS",
      "get",
      "PROPFIND",
    );
    const target = fc.oneof(
      fc.constantFrom("/", "/api/demo", "/api/demo/", "/api/demo?x", "/api/view"),
      text,
    );
    fc.assert(
      fc.property(method, target, header, site, (verb, path, origin, from) => {
        const headers = { ...aPost().headers, origin, "sec-fetch-site": from };
        const { allow } = decide(aRequest({ method: verb, target: path, headers }), LOOPBACK);
        if (!allow) return;
        if (verb !== "GET" && verb !== "HEAD") expect([verb, path]).toEqual(["POST", "/api/demo"]);
        if (origin !== undefined) expect(new URL(origin).host).toBe("127.0.0.1:3000");
        expect(from).not.toBe("cross-site");
        expect(from).not.toBe("same-site");
        expect(new URL(path, "http://127.0.0.1:3000").pathname).toBe(path.split("?")[0]);
      }),
      { numRuns: 5000 },
    );
  });
});
