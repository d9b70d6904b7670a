import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Subject } from "../diagnosis/find-subject.ts";
import { Unreadable } from "./read-once.ts";

/** A snapshot to diagnose, and what is asked about it. */
export interface Case {
  readonly name: string;
  readonly path: string;
  /** When it is looked at; undefined where nothing says. */
  readonly now: number | undefined;
  readonly subject: Subject | undefined;
}

/** What of `case.yaml` is read: never what it expects. */
const caseFile = z.object({
  now: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .optional(),
  subject: z
    .object({ kind: z.string().min(1), namespace: z.string().default(""), name: z.string().min(1) })
    .optional(),
});

/**
 * The cases at `path`: a folder with a `case.yaml`, all those in a folder of such, or any other snapshot.
 *
 * @throws Unreadable where `path` or a `case.yaml` cannot be read
 */
export async function casesAt(path: string): Promise<readonly Case[]> {
  const names = await entriesOf(path);
  if (names.includes("case.yaml")) return [await readCase(path)];
  const below = await Promise.all(
    names.map(async (name) =>
      (await entriesOf(join(path, name))).includes("case.yaml") ? [join(path, name)] : [],
    ),
  );
  const folders = below.flat().sort();
  if (folders.length > 0) return await Promise.all(folders.map(readCase));
  return [{ name: basename(resolve(path)), path, now: undefined, subject: undefined }];
}

async function readCase(path: string): Promise<Case> {
  const file = join(path, "case.yaml");
  const name = basename(resolve(path));
  try {
    const read = caseFile.safeParse(parse(await readFile(file, "utf8")));
    if (!read.success) {
      throw new Unreadable(
        read.error.issues.map((issue) => `${file}: ${issue.path.join(".")}: ${issue.message}`),
      );
    }
    return { name, path, now: read.data.now, subject: read.data.subject };
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable([`${file}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** Names in a folder; none where `path` is a file. */
async function entriesOf(path: string): Promise<readonly string[]> {
  try {
    return (await stat(path)).isDirectory() ? await readdir(path) : [];
  } catch (error) {
    throw new Unreadable([`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
