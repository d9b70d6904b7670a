import { SourceError } from "../source-error.ts";
import type { Connection } from "./connection.ts";
import type { FactKind } from "./kinds/fact-kind.ts";
import { rawObject } from "./raw.ts";
import { notKubernetes } from "./response-error.ts";
import type { SilenceLimit } from "./silence.ts";

/** What of a kind is read to look it up. */
export type KindVersions = Pick<FactKind, "group" | "plural" | "versions">;

/** Whether an API server has a kind, and in which of the versions that can be read. */
export type ServedKind =
  | { readonly state: "served"; readonly version: string }
  | { readonly state: "absent" }
  /** It is there, but in none of the versions that can be read. */
  | { readonly state: "unreadable"; readonly error: SourceError }
  /** Its group cannot be asked at this moment, as where the server behind an APIService is down. */
  | { readonly state: "unknown"; readonly error: SourceError };

/** `GROUP/VERSION` (`v1` of the core group) -> the plurals that it has, or why that cannot be told. */
export type ServedVersions = ReadonlyMap<string, ReadonlySet<string> | SourceError>;

/** All resources in one answer, from servers that can (1.26 and later), else the names of the groups only. */
const ACCEPT_DISCOVERY = [
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
  "application/json",
].join(",");

/**
 * Asks an API server which versions it has, and what each of those has that `kinds` are about.
 * https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 * @throws SourceError where it does not answer as a whole. A group that cannot be asked is an entry.
 */
export async function readServedVersions(
  connection: Connection,
  kinds: readonly KindVersions[],
  limit: SilenceLimit,
): Promise<ServedVersions> {
  const groups = new Set(kinds.map(({ group }) => group));
  const roots = await Promise.all(["/api", "/apis"].map((root) => readRoot(connection, root, groups, limit)));
  return new Map(roots.flat());
}

/** The best version of a kind that is served. */
export function servedKind({ group, plural, versions }: KindVersions, served: ServedVersions): ServedKind {
  const entries = versions.map((version) => ({ version, has: served.get(groupVersion(group, version)) }));
  const best = entries.find(({ has }) => has && !(has instanceof SourceError) && has.has(plural));
  if (best) return { state: "served", version: best.version };
  const error = entries.map(({ has }) => has).find((has) => has instanceof SourceError);
  if (error) return { state: "unknown", error };
  const others = [...served].flatMap(([apiVersion, has]) => {
    const isOf = groupOf(apiVersion) === group && !(has instanceof SourceError) && has.has(plural);
    return isOf ? [apiVersion.slice(apiVersion.lastIndexOf("/") + 1)] : [];
  });
  return others.length > 0
    ? { state: "unreadable", error: otherVersions({ group, plural, versions }, others) }
    : { state: "absent" };
}

function otherVersions({ group, plural, versions }: KindVersions, others: readonly string[]): SourceError {
  const name = group === "" ? plural : `${plural}.${group}`;
  const message = `The cluster has ${name} only as ${others.join(", ")}, which Seamline cannot read`;
  return new SourceError("invalid", message, { hint: `It reads ${versions.join(", ")}.` });
}

/** `apiVersion` of a group's objects. */
export function groupVersion(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The group of an `apiVersion`; empty for the core's. */
export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf("/")));
}

type Entry = readonly [string, ReadonlySet<string> | SourceError];

async function readRoot(
  connection: Connection,
  root: string,
  groups: ReadonlySet<string>,
  limit: SilenceLimit,
): Promise<Entry[]> {
  const document = await readJson(connection, root, limit);
  switch (document.kind) {
    case "APIGroupDiscoveryList":
      return objects(document.items).flatMap(aggregatedVersions);
    case "APIVersions":
    case "APIGroupList": {
      const listed = Array.isArray(document.versions)
        ? document.versions.map(String)
        : objects(document.groups).flatMap((group) =>
            objects(group.versions).map((version) => String(version.groupVersion)),
          );
      const asked = listed.filter((version) => groups.has(groupOf(version)));
      return await Promise.all(asked.map((version) => readVersion(connection, root, version, limit)));
    }
    default:
      throw notKubernetes(
        `The API server ${connection.server} answers ${root} with what is no list of groups`,
      );
  }
}

function aggregatedVersions(group: Readonly<Record<string, unknown>>): Entry[] {
  const name = String(rawObject(group.metadata).name ?? "");
  return objects(group.versions).map(({ version, freshness, resources }): Entry => {
    const apiVersion = groupVersion(name, String(version));
    const plurals = new Set(objects(resources).map(({ resource }) => String(resource)));
    // Servers before 1.30 tell of one that is down as of one that has nothing.
    const isDown = freshness === "Stale" || plurals.size === 0;
    return [apiVersion, isDown ? groupDown(apiVersion) : plurals];
  });
}

function groupDown(apiVersion: string): SourceError {
  return new SourceError("unreachable", `The API server cannot tell what ${apiVersion} has`, {
    hint: `Check the APIService of ${apiVersion} and the server behind it. It is tried again.`,
  });
}

async function readVersion(
  connection: Connection,
  root: string,
  apiVersion: string,
  limit: SilenceLimit,
): Promise<Entry> {
  try {
    const { resources } = await readJson(connection, `${root}/${apiVersion}`, limit);
    return [apiVersion, new Set(objects(resources).map(({ name }) => String(name)))];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // It went after the groups were listed.
    return [apiVersion, error.code === "absent" ? new Set() : error];
  }
}

async function readJson(
  connection: Connection,
  path: string,
  limit: SilenceLimit,
): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await connection.open(path, { accept: ACCEPT_DISCOVERY, signal: limit.signal });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    limit.heard();
    chunks.push(chunk);
  }
  try {
    return rawObject(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } catch (cause) {
    throw new SourceError("invalid", `The answer to ${path} is no JSON`, { cause });
  }
}

function objects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(rawObject) : [];
}
