import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { SourceError } from "../source-error.ts";
import { type Connection, connectionFromKubeConfig, connectionToUrl } from "./connection.ts";
import { encodeObject } from "./protobuf.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let folder: string;
let server: Server;
let url: string;
let answer: Answer;
let seen: IncomingMessage[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "seamline-"));
  seen = [];
  answer = (_, response) => response.end("{}");
  server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const PATH = "/api/v1/pods?limit=500";
const open = (connection: Connection | undefined, signal = new AbortController().signal) => {
  if (!connection) throw new Error("no connection");
  return connection.open(PATH, { accept: "application/json", signal });
};

async function failure(promise: Promise<unknown>): Promise<SourceError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (error instanceof SourceError) return error;
  throw new Error(`no SourceError: ${String(error)}`);
}

/** A connection through a kubeconfig with this user. */
function connect(user: object): Connection | undefined {
  const file = join(folder, "config");
  writeFileSync(
    file,
    stringify({
      "current-context": "ctx",
      contexts: [{ name: "ctx", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: url } }],
      users: [{ name: "u", user }],
    }),
  );
  return connectionFromKubeConfig({ env: { KUBECONFIG: file }, homeDir: folder });
}

const authorizations = () => seen.map(({ headers }) => headers.authorization);
const refuseOnce: Answer = (_, response) => {
  response.statusCode = seen.length === 1 ? 401 : 200;
  response.end("{}");
};

describe("requests", () => {
  test("carry path, Accept and User-Agent, and give the body as it comes", async () => {
    answer = (_, response) => {
      response.setHeader("content-type", "application/JSON;stream=watch");
      response.end("hello");
    };
    const { contentType, body } = await open(connectionToUrl(`${url}/`, "demo"));
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect([contentType, Buffer.concat(chunks).toString()]).toEqual([
      "application/json;stream=watch",
      "hello",
    ]);
    expect(seen[0]?.url).toBe(PATH);
    expect(seen[0]?.headers).toMatchObject({ accept: "application/json", "user-agent": "seamline/0.1.0" });
  });

  test("end with the signal, before and after the answer", async () => {
    const reason = new Error("enough");
    const early = new AbortController();
    answer = () => early.abort(reason);
    await expect(open(connectionToUrl(url, "x"), early.signal)).rejects.toBe(reason);

    const late = new AbortController();
    answer = (_, response) => response.write("a");
    const { body } = await open(connectionToUrl(url, "x"), late.signal);
    const read = async () => {
      for await (const _ of body) late.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
  });
});

describe("answers that are refusals", () => {
  test.each<[number, string, Record<string, string>, string]>([
    [400, "invalid", {}, ""],
    [401, "unauthorized", {}, "Check the user"],
    [403, "forbidden", {}, 'apiGroups [""], resources [pods], verbs [get, list, watch]'],
    [404, "absent", {}, "within a minute"],
    [406, "invalid", {}, ""],
    [410, "expired", {}, ""],
    [422, "invalid", {}, ""],
    [429, "rate-limited", { "retry-after": "7" }, ""],
    [500, "unreachable", {}, "tried again"],
    [503, "unreachable", { "retry-after": "1" }, "tried again"],
  ])("%i is %s, in the server's own words", async (code, expected, headers, hint) => {
    answer = (_, response) => {
      response.writeHead(code, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify({ kind: "Status", message: "because", code }));
    };
    const error = await failure(open(connectionToUrl(url, "x")));
    expect(error.code).toBe(expected);
    expect(error.message).toMatch(new RegExp(`pods \\(${code}\\): because$`));
    expect(error.hint).toContain(hint);
    const seconds = headers["retry-after"];
    expect(error.retryAfterMs).toBe(seconds === undefined ? undefined : Number(seconds) * 1_000);
  });

  test("a Status in protobuf is read too, and one that is none does no harm", async () => {
    answer = (_, response) => {
      response.writeHead(403, { "content-type": "application/vnd.kubernetes.protobuf" });
      response.end(encodeObject("Status", { status: "Failure", message: "not you", code: 403 }));
    };
    expect((await failure(open(connectionToUrl(url, "x")))).message).toContain("not you");
    answer = (_, response) => {
      response.writeHead(502, { "content-type": "text/html" });
      response.end(`<html>${"x".repeat(1_000_000)}`);
    };
    expect(await failure(open(connectionToUrl(url, "x")))).toMatchObject({ code: "unreachable" });
  });

  test("200 in a format that is none of Kubernetes' is no answer, however long", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/HTML; charset=utf-8" });
      response.end(`<html>${"x".repeat(1_000_000)}`);
    };
    const error = await failure(open(connectionToUrl(url, "x")));
    expect(error).toMatchObject({ code: "invalid", hint: expect.stringContaining("proxy") });
    expect(error.message).toContain(`${url} answers with text/html; charset=utf-8`);
  });

  test("a redirection is not followed, and told as what it is", async () => {
    answer = (_, response) => response.writeHead(302, { location: `${url}/login` }).end();
    const error = await failure(open(connectionToUrl(url, "x")));
    expect(error).toMatchObject({ code: "invalid", hint: expect.stringContaining("sign-in page") });
    expect(error.message).toBe(`The API server ${url} answers with a redirection (302)`);
    expect(seen).toHaveLength(1);
  });

  test("504 for a version that is to come means that the version is of no use", async () => {
    answer = (_, response) => {
      response.writeHead(504, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ message: "Timeout: Too large resource version: 9, current: 1", code: 504 }),
      );
    };
    expect((await failure(open(connectionToUrl(url, "x")))).code).toBe("expired");
  });
});

describe("servers that do not answer", () => {
  test("nothing listens", async () => {
    server.close();
    const error = await failure(open(connectionToUrl("http://127.0.0.1:1", "x")));
    expect(error).toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("http://127.0.0.1:1"),
    });
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.hint).toContain("Nothing listens there");
  });

  test("a name that is not known", async () => {
    const error = await failure(open(connectionToUrl("https://no-such-host.invalid:6443", "x")));
    expect(error.code).toBe("unreachable");
    expect(error.message).toContain("no-such-host.invalid");
  });

  test("no TLS where TLS is expected", async () => {
    const error = await failure(open(connectionToUrl(url.replace("http:", "https:"), "x")));
    expect(error.code).toBe("unreachable");
    expect(error.hint).not.toBe("");
  });
});

describe("credentials", () => {
  test("a token", async () => {
    const connection = connect({ token: "t1" });
    expect(connection).toMatchObject({ name: "ctx", server: url });
    await open(connection);
    expect(authorizations()).toEqual(["Bearer t1"]);
  });

  test("user and password", async () => {
    await open(connect({ username: "ada", password: "pw" }));
    expect(authorizations()).toEqual([`Basic ${Buffer.from("ada:pw").toString("base64")}`]);
  });

  test("a token file is read again at a 401, within the same request", async () => {
    const tokenFile = join(folder, "token");
    writeFileSync(tokenFile, "t1\n");
    const connection = connect({ tokenFile });
    answer = (request, response) => {
      writeFileSync(tokenFile, "t2\n");
      response.statusCode = request.headers.authorization === "Bearer t2" ? 200 : 401;
      response.end("{}");
    };
    await open(connection);
    expect(authorizations()).toEqual(["Bearer t1", "Bearer t2"]);
  });

  test("credentials that stay refused are refused once more, and that is that", async () => {
    answer = (_, response) => {
      response.statusCode = 401;
      response.end("{}");
    };
    expect((await failure(open(connect({ token: "t1" })))).code).toBe("unauthorized");
    expect(seen).toHaveLength(2);
  });

  test("the context is held, even if another one has become the current one", async () => {
    const connection = connect({ token: "t1" });
    const file = join(folder, "config");
    answer = (request, response) => {
      if (seen.length === 1) {
        writeFileSync(
          file,
          stringify({
            "current-context": "other",
            contexts: ["ctx", "other"].map((name) => ({ name, context: { cluster: "c", user: name } })),
            clusters: [{ name: "c", cluster: { server: url } }],
            users: ["ctx", "other"].map((name) => ({ name, user: { token: `new-${name}` } })),
          }),
        );
      }
      refuseOnce(request, response);
    };
    await open(connection);
    expect(authorizations()).toEqual(["Bearer t1", "Bearer new-ctx"]);
  });

  /** A plugin that prints a new token each time it runs. */
  function plugin(script: string): object {
    const command = join(folder, "plugin");
    writeFileSync(command, `#!/bin/sh\necho run >> '${folder}/runs'\n${script}\n`);
    chmodSync(command, 0o755);
    return { exec: { apiVersion: "client.authentication.k8s.io/v1", command } };
  }
  const TOKEN = `printf '{"status":{"token":"t%d"}}' "$(wc -l < '%')"`;

  test("an exec plugin runs once for requests that begin together, and again at a 401", async () => {
    const connection = connect(plugin(TOKEN.replace("%'", `${folder}/runs'`)));
    await Promise.all([open(connection), open(connection), open(connection)]);
    expect(authorizations()).toEqual(["Bearer t1", "Bearer t1", "Bearer t1"]);
    seen = [];
    answer = refuseOnce;
    await open(connection);
    expect(authorizations()).toEqual(["Bearer t1", "Bearer t2"]);
  });

  test.each<[string, string, string]>([
    ["fails", "echo 'please log in first' >&2; exit 1", "please log in first"],
    ["prints no JSON", "echo hello", "credentials of the context ctx"],
  ])("an exec plugin that %s", async (_, script, message) => {
    const error = await failure(open(connect(plugin(script))));
    expect(error.code).toBe("unauthorized");
    expect(error.message).toContain(message);
    expect(seen).toHaveLength(0);
  });

  test("what looks like a token in a plugin's error is left out", async () => {
    const secret = "eyJhbGciOiJSUzI1NiIsImtpZCI6Ing".repeat(3);
    const error = await failure(open(connect(plugin(`echo 'refused: ${secret}' >&2; exit 1`))));
    expect(error.message).toContain("refused: [left out]");
    expect(error.message).not.toContain(secret);
  });

  test("a plugin or a file that is not there", async () => {
    const missing = await failure(open(connect({ exec: { command: join(folder, "nothing") } })));
    expect(missing).toMatchObject({ code: "unauthorized", message: expect.stringContaining("ENOENT") });
    const certificate = {
      "client-certificate": join(folder, "no.crt"),
      "client-key": join(folder, "no.key"),
    };
    expect((await failure(open(connect(certificate)))).message).toContain("no.crt");
  });

  test("a plugin that hangs does not hold a request that was given up", async () => {
    const controller = new AbortController();
    const pending = open(connect({ exec: { command: "sleep", args: ["2"] } }), controller.signal);
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
  });
});
