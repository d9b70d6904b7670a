import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";

const JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl";
const PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc==\n-----END RSA PRIVATE KEY-----";
// Put together here, so that no scanner takes them for real ones.
const HF = `hf_${"aB3dE6gH".repeat(4)}`;
const GITHUB = `ghp_${"aB3dE6gH".repeat(4)}`;
const AWS = `AKIA${"ABCD1234".repeat(2)}`;
const SLACK = ["xoxb", "1234567890", "abcdefghij"].join("-");

describe("redact", () => {
  it.each<[string, string]>([
    [`using ${HF} for the hub`, "using [redacted] for the hub"],
    [`cloned with ${GITHUB}`, "cloned with [redacted]"],
    [`key ${AWS} is not valid`, "key [redacted] is not valid"],
    [`posting with ${SLACK}`, "posting with [redacted]"],
    [`sa token ${JWT}.`, "sa token [redacted]."],
    [`Authorization: Bearer ${JWT}`, "Authorization: [redacted]"],
    [`{"Authorization": "Bearer abc.def", "x": 1}`, `{"Authorization": "[redacted]", "x": 1}`],
    ["authorization=Basic dXNlcjpwYXNz", "authorization=[redacted]"],
    ["got bearer abcdefghijkl from peer", "got bearer [redacted] from peer"],
    ["X-Api-Key: 12ab\nnext line", "X-Api-Key: [redacted]\nnext line"],
    ["postgres://admin:s3cr3t@db.ml:5432/runs", "postgres://admin:[redacted]@db.ml:5432/runs"],
    ["redis://:pa55@cache:6379", "redis://:[redacted]@cache:6379"],
    ["password=hunter2 user=a", "password=[redacted] user=a"],
    ["DB_PASSWORD='a b c', ok", "DB_PASSWORD='[redacted]', ok"],
    [`{"client_secret": "a\\"b", "n": 2}`, `{"client_secret": "[redacted]", "n": 2}`],
    ["HF_TOKEN=abc&x=1", "HF_TOKEN=[redacted]&x=1"],
    ["--api-key abc123 --port 80", "--api-key [redacted] --port 80"],
    ["AWS_SECRET_ACCESS_KEY: wJalrXUtnFEMI", "AWS_SECRET_ACCESS_KEY: [redacted]"],
    [`before\n${PEM}\nafter`, "before\n[redacted]\nafter"],
    ["-----BEGIN CERTIFICATE-----\ncut off", "[redacted]"],
  ])("%j", (text, expected) => expect(redact(text)).toBe(expected));

  it.each([
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
    "max_tokens=4096 pad_token: 0 eos_token: null",
    "tokenizer: loaded 32000 tokens from https://huggingface.co/org/model",
    "NCCL WARN socketProgress: Connection closed by remote peer node-1<10.0.0.7:4321>",
    'secret "hf" not found',
    "Loading model at s3://bucket/path:tag",
    "2026-12-01T12:00:00Z INFO step=100 loss=2.31",
  ])("leaves alone: %s", (text) => expect(redact(text)).toBe(text));

  it("blanks once: what is blanked stays as it is", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("password=", "a b", HF, JWT, PEM, "Bearer ", "://u:p@h", "\n", '"', "token: "),
          {
            maxLength: 12,
          },
        ),
        (parts) => {
          const once = redact(parts.join(""));
          expect(redact(once)).toBe(once);
          for (const secret of [HF, JWT, "MIIEow"]) expect(once).not.toContain(secret);
        },
      ),
    );
  });

  it("takes no longer than the text is long", () => {
    const line = `${"token ".repeat(2_000)}${"://a".repeat(2_000)}${"-----BEGIN ".repeat(2_000)}${"a".repeat(50_000)}`;
    const start = performance.now();
    redact(line.repeat(3));
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
