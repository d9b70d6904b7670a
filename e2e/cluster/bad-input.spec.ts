import { readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import type { FleetView } from "../../lib/model/fleet-view.ts";
import type { OverviewPage } from "../support/overview-page.ts";
import { readView, type Seamline } from "../support/seamline.ts";
import { startBadProxy } from "./bad-proxy.ts";
import { expect, test } from "./cluster-test.ts";
import { allow, createToken, type SignIn, signInForAll } from "./credentials.ts";
import { writeLayersReservations } from "./layers-cluster.ts";
import { freePorts } from "./processes/free-ports.ts";
import { isRequired } from "./required-sources.ts";

// What people get wrong on the way to their cluster: each is told as what it is, on the page and in /api/view.

let signIn: SignIn;
signInForAll((opened) => {
  signIn = opened;
});

/** A resource that is forbidden is looked for again within a minute. */
const RECHECK = { timeout: 65_000 };

interface Fault {
  readonly state: string;
  readonly code: string;
  readonly message: RegExp;
  readonly hint: RegExp;
}

const sources = ({ sources: all }: FleetView) => all.filter(isRequired);
const states = async (seamline: Seamline) =>
  sources(await readView<FleetView>(seamline)).map(({ state }) => state);

/** Nothing can be read: the page says why, and neither it nor the view counts anything. */
async function tellsFault(seamline: Seamline, overview: OverviewPage, fault: Fault): Promise<void> {
  const { state, code, message, hint } = fault;
  const view = async () => await readView<FleetView>(seamline);
  const found = async () => sources(await view()).map((each) => [each.state, each.error?.code]);
  await expect.poll(found).toEqual(Array.from({ length: 3 }, () => [state, code]));
  const seen = await view();
  const { cluster, counts, totals, pools, stuck } = seen;
  for (const { error, asOf } of sources(seen)) {
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(hint);
    expect(asOf).toBeNull();
  }
  expect(cluster.kind).toBe("cluster");
  expect(new Set(Object.values(counts))).toEqual(new Set([null]));
  expect(totals.paid).toMatchObject({ gpus: null, certainty: "?" });
  expect([pools, stuck]).toEqual([[], []]);
  // That the user may not is an answer, which waiting does not change.
  const ready = state === "forbidden" ? 200 : 503;
  expect((await fetch(`${seamline.url}/api/readyz`)).status).toBe(ready);

  await overview.open(seamline.url);
  const alert = overview.page.getByRole("alert").filter({ hasText: "cannot be read" });
  await expect(alert).toContainText(message);
  await expect(alert).toContainText(hint);
  await expect(overview.sources).toContainText(state);
  await expect(overview.demoBanner).toHaveCount(0);
  await expect(overview.page.getByText(/\b0 (GPUs|nodes|pods)\b/)).toHaveCount(0);
}

async function startWith(
  start: (env: Record<string, string>) => Promise<Seamline>,
  parts: Parameters<SignIn["kubeconfig"]>[1],
): Promise<Seamline> {
  return await start({ KUBECONFIG: await signIn.kubeconfig(await signIn.folder(), parts) });
}

test("a context that the kubeconfig does not have", async ({ start, overview }) => {
  const KUBECONFIG = await signIn.kubeconfig(await signIn.folder(), { user: {} });
  const seamline = await start({ KUBECONFIG, SEAMLINE_CONTEXT: "prod" });
  await tellsFault(seamline, overview, {
    state: "unreachable",
    code: "invalid",
    message: /SEAMLINE_CONTEXT names a context that .*kubeconfig does not have: prod/,
    hint: /Contexts in .*: layers\./,
  });
});

test("a token that the API server does not know", async ({ start, overview }) => {
  const seamline = await startWith(start, { user: { token: "made-up" } });
  await tellsFault(seamline, overview, {
    state: "unreachable",
    code: "unauthorized",
    message: /does not accept the credentials for (nodes|pods|events) \(401\): Unauthorized/,
    hint: /token, client certificate or exec plugin for https:\/\/127\.0\.0\.1/,
  });
  expect(await (await fetch(`${seamline.url}/api/view`)).text()).not.toContain("made-up");
});

test("a token that was taken back, until there is a new one", async ({ start, overview }) => {
  await allow(signIn.api, "late");
  const [old, renewed] = [await createToken(signIn, "late"), await createToken(signIn, "late")];
  await old.revoke();
  const folder = await signIn.folder();
  await writeFile(join(folder, "token"), old.token);
  const KUBECONFIG = await signIn.kubeconfig(folder, { user: { tokenFile: "token" } });
  const seamline = await start({ KUBECONFIG });
  await tellsFault(seamline, overview, {
    state: "unreachable",
    code: "unauthorized",
    message: /\(401\): Unauthorized/,
    hint: /token/,
  });
  await writeFile(join(folder, "token"), renewed.token);
  await expect.poll(() => states(seamline)).toEqual(["live", "live", "live"]);
  await expect(overview.page.getByRole("alert").filter({ hasText: "cannot be read" })).toHaveCount(0);
});

const CERTIFICATES = [
  { what: "that has expired", authority: "clients", user: "carol", days: 0 },
  {
    what: "of an authority that the API server does not know",
    authority: "strangers",
    user: "mallory",
    days: 1,
  },
] as const;

for (const { what, authority, user, days } of CERTIFICATES) {
  test(`a client certificate ${what}, until a good one is in its place`, async ({ start, overview }) => {
    await allow(signIn.api, user);
    const { certificate, key } = await signIn[authority].issue(user, days);
    const seamline = await startWith(start, {
      user: { "client-certificate": certificate, "client-key": key },
    });
    await tellsFault(seamline, overview, {
      state: "unreachable",
      code: "unauthorized",
      message: /\(401\): Unauthorized/,
      hint: /client certificate/,
    });
    await signIn.clients.issue(user, 1);
    await expect.poll(() => states(seamline)).toEqual(["live", "live", "live"]);
  });
}

test("a certificate authority that is not the server's", async ({ start, overview }) => {
  const authority = await readFile(signIn.strangers.certificate, "utf8");
  const seamline = await startWith(start, { authority, user: { token: "never-sent" } });
  await tellsFault(seamline, overview, {
    state: "unreachable",
    code: "unreachable",
    message: /The API server https:\/\/127\.0\.0\.1:\d+ does not prove who it is: .*certificate/,
    hint: /Check certificate-authority/,
  });
});

test("a server whose name nobody knows", async ({ start, overview }) => {
  const seamline = await startWith(start, { server: "https://api.seamline.invalid:6443", user: {} });
  await tellsFault(seamline, overview, {
    state: "unreachable",
    code: "unreachable",
    message: /The API server https:\/\/api\.seamline\.invalid:6443 cannot be reached/,
    hint: /name .*(not known|not be looked up).*DNS/,
  });
});

test("a port that nothing listens on", async ({ start, overview }) => {
  const [port] = await freePorts(1);
  const seamline = await startWith(start, { server: `https://127.0.0.1:${port}`, user: {} });
  await tellsFault(seamline, overview, {
    state: "unreachable",
    code: "unreachable",
    message: new RegExp(`https://127\\.0\\.0\\.1:${port} cannot be reached: connect ECONNREFUSED`),
    hint: /Nothing listens there/,
  });
});

test("a user without any rights, until the ClusterRole is granted", async ({ start, overview }) => {
  const { token } = await createToken(signIn, "nobody");
  const seamline = await startWith(start, { user: { token } });
  await tellsFault(seamline, overview, {
    state: "forbidden",
    code: "forbidden",
    message:
      /No permission to read (nodes|pods|events) \(403\): .*"system:serviceaccount:seamline:nobody" cannot/,
    hint: /apiGroups \[""\], resources \[(nodes|pods|events)\], verbs \[get, list, watch\]/,
  });
  await allow(signIn.api, "nobody");
  await expect.poll(() => states(seamline), RECHECK).toEqual(["live", "live", "live"]);
  await expect(overview.page.getByRole("alert").filter({ hasText: "cannot be read" })).toHaveCount(0);
});

test("rights for nodes only", async ({ start, overview }) => {
  await allow(signIn.api, "looker", ["nodes"]);
  const { token } = await createToken(signIn, "looker");
  const seamline = await start({
    KUBECONFIG: await signIn.kubeconfig(await signIn.folder(), { user: { token } }),
    SEAMLINE_RESERVATIONS: await writeLayersReservations(test.info().outputPath("reservations.yaml")),
  });
  await expect.poll(() => states(seamline)).toEqual(["live", "forbidden", "forbidden"]);
  const { counts, totals, lanes } = await readView<FleetView>(seamline);
  expect(counts).toMatchObject({ nodes: 3, pods: null, gpuPods: null, systemPods: null });
  // One GPU is not advertised, whoever looks; what the other one does is for the pods to tell.
  expect(totals.paid.gpus).toBe(2);
  expect(totals.unknown.gpus).toBe(1);
  expect(totals.stages.find(({ stage }) => stage === "not-advertised")?.gpus).toBe(1);
  expect(lanes.map(({ layer, state }) => [layer, state])).toMatchObject([
    ["L1", expect.anything()],
    ["L2", expect.anything()],
    ["L3", "forbidden"],
    ["L4", "forbidden"],
  ]);
  await overview.open(seamline.url);
  await expect(overview.paid).toContainText("2 GPUs");
  const failing = overview.page.getByRole("list", { name: "Sources with problems" });
  for (const resource of ["pods", "events"])
    await expect(failing).toContainText(`resources [${resource}], verbs [get, list, watch]`);
  await expect(failing).not.toContainText("kubernetes/nodes");
  await expect(overview.page.getByText(/\b0 pods\b/)).toHaveCount(0);
  await expect(overview.demoBanner).toHaveCount(0);
});

/** What stands between people and their API server says things of its own. */
const ANSWERS: Readonly<Record<string, { readonly listener: RequestListener; readonly message: RegExp }>> = {
  "a page of HTML": {
    listener: (_, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end("<!doctype html>\n<html>\n<title>Sign in</title>\n</html>\n");
    },
    message: /The API server http:.* answers with text\/html/,
  },
  "a redirection to a sign-in page": {
    listener: (_, response) => response.writeHead(302, { location: "https://sign-in.invalid/" }).end(),
    message: /answers with a redirection \(302\)/,
  },
  "JSON of its own": {
    listener: (_, response) => {
      response.setHeader("content-type", "application/json");
      response.end('{"message":"welcome"}\n');
    },
    message: /sent what is no event/,
  },
  "bytes without a sense": {
    listener: (_, response) => {
      response.setHeader("content-type", "application/vnd.kubernetes.protobuf;stream=watch");
      response.end(Buffer.from([0, 0, 0, 3, 255, 254, 253]));
    },
    message: /sent what is no event/,
  },
};

for (const [what, { listener, message }] of Object.entries(ANSWERS)) {
  test(`a proxy that answers ${what}, until it lets through`, async ({ start, overview }) => {
    await allow(signIn.api, "proxied");
    const { token } = await createToken(signIn, "proxied");
    const proxy = await startBadProxy(signIn.cluster.server, signIn.certificate);
    proxy.answer(listener);
    const seamline = await startWith(start, { server: proxy.url, user: { token } });
    await tellsFault(seamline, overview, { state: "unreachable", code: "invalid", message, hint: /proxy/ });
    proxy.answer(undefined);
    await expect.poll(() => states(seamline)).toEqual(["live", "live", "live"]);
    await proxy.close();
  });
}
