import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * One hash over names and contents of files and of all files in folders; those that are missing count as such.
 *
 * @param {string} root folder that `paths` are below
 * @param {readonly string[]} paths
 * @returns {string}
 */
export function hashOf(root, paths) {
  const hash = createHash("sha256");
  const add = (path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) add(`${path}/${name}`);
      return;
    }
    const content = found ? readFileSync(join(root, path)) : undefined;
    hash.update(`${path}\0${content?.length ?? "missing"}\0`).update(content ?? "");
  };
  for (const path of paths) add(path);
  return hash.digest("hex");
}

/**
 * Whether what `file` stamps was made from just this.
 *
 * @param {string} file
 * @param {string} hash
 * @returns {boolean}
 */
export function isStamped(file, hash) {
  try {
    return readFileSync(file, "utf8") === hash;
  } catch {
    return false;
  }
}

/**
 * Says in `file` what its folder was made from.
 *
 * @param {string} file
 * @param {string} hash
 */
export function stamp(file, hash) {
  writeFileSync(file, hash);
}
