import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { KubernetesObject } from "../../testing/api-server/kubernetes-object.ts";
import { parseDocuments } from "./parse-documents.ts";
import { unfoldDocument } from "./unfold-document.ts";

/** Something in a file that is no Kubernetes object, and what was expected instead. */
export interface LoadProblem {
  /** Path of the file, below the path that was asked for. */
  readonly file: string;
  /** Place in the file, e.g. `line 12` or `line 3, items[4].metadata.name`; empty for the whole file. */
  readonly where: string;
  readonly message: string;
}

export interface LoadedObjects {
  /** By sorted file name, then in the order of the documents. */
  readonly objects: KubernetesObject[];
  /** Paths of the `reservations.json|yaml|yml` beside them: listed, not read. */
  readonly reservationFiles: string[];
  /** Paths of the `logs/NAMESPACE_POD_CONTAINER.log` of a folder: listed, not read. */
  readonly logFiles: string[];
  readonly problems: LoadProblem[];
}

/** Text above some 512 MiB cannot be held as one string at all. */
const MAX_BYTES = 256 * 2 ** 20;
const READABLE = /\.(?:ya?ml|json)$/i;
const LOGS = "logs";
const RESERVATIONS = /^reservations\.(?:ya?ml|json)$/i;

/**
 * Kubernetes objects as `kubectl get ... -o yaml|json` prints them, from one file or from all files of a folder and
 * the folders in it. Lists are unfolded, every kind is kept. What cannot be read becomes a problem while the rest still
 * loads; `case.yaml`, `logs/` and hidden files are ignored.
 *
 * @throws Error where `path` does not exist or cannot be opened.
 */
export async function loadObjects(path: string, maxBytes: number = MAX_BYTES): Promise<LoadedObjects> {
  const { files, reservationFiles, logFiles } = await filesAt(path);
  const objects: KubernetesObject[] = [];
  const problems: LoadProblem[] = [];
  for (const file of files) {
    const problem = (where: string, message: string) => problems.push({ file, where, message });
    const text = await readText(file, maxBytes);
    if ("error" in text) {
      problem("", text.error);
      continue;
    }
    for (const document of parseDocuments(text.value, /\.json$/i.test(file) ? "json" : "yaml")) {
      if ("error" in document) {
        problem(document.where, document.error);
        continue;
      }
      for (const part of unfoldDocument(document.value)) {
        if ("object" in part) objects.push(part.object);
        else problem([document.where, part.where].filter(Boolean).join(", "), part.error);
      }
    }
  }
  return { objects, reservationFiles, logFiles, problems };
}

interface Files {
  readonly files: string[];
  readonly reservationFiles: string[];
  readonly logFiles: string[];
}

async function filesAt(path: string): Promise<Files> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      throw new Error(`cannot read ${path}: ${messageOf(error)}`, { cause: error });
    },
  );
  if (isFolder) {
    const found = await filesUnder(path);
    const isReservations = (file: string) => RESERVATIONS.test(basename(file));
    return {
      files: found.filter((file) => !isReservations(file)),
      reservationFiles: found.filter(isReservations),
      logFiles: await logsIn(join(path, LOGS)),
    };
  }
  const folder = dirname(path);
  const beside = (await readdir(folder)).filter((name) => RESERVATIONS.test(name)).sort();
  const reservationFiles = beside.map((name) => join(folder, name));
  return { files: RESERVATIONS.test(basename(path)) ? [] : [path], reservationFiles, logFiles: [] };
}

/** None where there is no such folder. */
async function logsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(".log"))
    .sort()
    .map((name) => join(folder, name));
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".") || entry.name === LOGS || entry.name === "case.yaml") continue;
    if (entry.isDirectory()) files.push(...(await filesUnder(path)));
    else if (READABLE.test(entry.name)) files.push(path);
  }
  return files;
}

async function readText(file: string, maxBytes: number): Promise<{ value: string } | { error: string }> {
  try {
    const { size } = await stat(file);
    if (size > maxBytes)
      return { error: `expected at most ${mebibytes(maxBytes)}, found ${mebibytes(size)}` };
    const bytes = await readFile(file);
    // PowerShell's `kubectl ... > file` writes UTF-16.
    const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
    return { value: new TextDecoder(encoding).decode(bytes) };
  } catch (error) {
    return { error: `cannot be read: ${messageOf(error)}` };
  }
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
