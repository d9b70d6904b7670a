import { LineCounter, parseAllDocuments } from "yaml";
import { cutList } from "./cut-list.ts";

/** One document of a file: its value, or what is wrong with it, and where it is (`line 12`). */
export type ParsedDocument =
  | { readonly where: string; readonly value: unknown }
  | { readonly where: string; readonly error: string };

/** Characters. The YAML parser needs some 50 times as much memory as the text that it reads in one piece. */
const MAX_PIECE = 32 * 2 ** 20;

/**
 * The documents of a YAML or JSON text; empty ones are left out. A broken one is an entry that names its line, and the
 * others are still read: the text is cut at its `---` lines first, which YAML allows nowhere inside a document
 * (https://yaml.org/spec/1.2.2/#914-explicit-documents).
 */
export function parseDocuments(text: string, format: "yaml" | "json"): ParsedDocument[] {
  if (format === "json") return parseJson(text);
  const documents: ParsedDocument[] = [];
  let line = 1;
  for (const chunk of text.split(/^(?=---(?:\s|$))/m)) {
    documents.push(...parseChunk(chunk, line));
    line += linesIn(chunk);
  }
  return documents;
}

function parseJson(text: string): ParsedDocument[] {
  if (text.trim() === "") return [];
  try {
    return [{ where: "", value: JSON.parse(text) }];
  } catch (error) {
    const message = messageOf(error);
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    const where = position ? `line ${linesIn(text.slice(0, Number(position))) + 1}` : "";
    return [{ where, error: `expected JSON: ${message}` }];
  }
}

function parseChunk(text: string, firstLine: number): ParsedDocument[] {
  const list = cutList(text);
  if (!list) return parseYaml(text, firstLine);
  const items: unknown[] = [];
  const broken: ParsedDocument[] = [];
  let line = firstLine + list.itemsLine;
  for (const item of list.items) {
    for (const parsed of parseYaml(item, line)) {
      if ("error" in parsed) broken.push(parsed);
      else items.push(...(Array.isArray(parsed.value) ? parsed.value : [parsed.value]));
    }
    line += linesIn(item);
  }
  const whole = parseYaml(list.rest, firstLine).map((parsed) =>
    "value" in parsed && typeof parsed.value === "object"
      ? { ...parsed, value: { ...parsed.value, items } }
      : parsed,
  );
  return [...broken, ...whole];
}

function parseYaml(text: string, firstLine: number): ParsedDocument[] {
  if (text.length > MAX_PIECE) {
    const error =
      "expected a YAML document of at most 32 MiB: JSON is read at any size (kubectl get -o json)";
    return [{ where: `line ${firstLine}`, error }];
  }
  const lines = new LineCounter();
  const lineAt = (offset: number) => `line ${lines.linePos(offset).line + firstLine - 1}`;
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  if ("empty" in documents) return [];
  return documents.flatMap((document): ParsedDocument[] => {
    const [error] = document.errors;
    if (error) return [{ where: lineAt(error.pos[0]), error: `expected a YAML document: ${error.message}` }];
    const where = lineAt(document.contents?.range?.[0] ?? document.range[0]);
    try {
      const value: unknown = document.toJS();
      return value === null || value === undefined ? [] : [{ where, value }];
    } catch (cause) {
      // Aliases that would unfold without end.
      return [{ where, error: `expected a plain YAML document: ${messageOf(cause)}` }];
    }
  });
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
