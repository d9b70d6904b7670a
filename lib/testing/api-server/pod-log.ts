import type { ServerResponse } from "node:http";
import type { Faults } from "./faults.ts";
import { listAt, textAt } from "./json-value.ts";
import type { ObjectStore } from "./object-store.ts";
import { numberOf } from "./request.ts";
import { failure, StatusError } from "./status.ts";

interface Parts {
  readonly store: ObjectStore;
  readonly faults: Faults;
  /** As `ApiServerOptions.logs`. */
  readonly logs: Readonly<Record<string, string>>;
}

const PATH = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/log$/;

/**
 * Answers a request for a pod's log and returns true; false where it is none. Throws a Status as a real server words it:
 * 404 without such a pod, 400 without such a container or a log of it.
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#get-read-log-of-the-specified-pod
 */
export function answerLog(url: URL, response: ServerResponse, { store, logs, faults }: Parts): boolean {
  const [, namespace, pod] = PATH.exec(url.pathname)?.map(decodeURIComponent) ?? [];
  if (namespace === undefined || pod === undefined) return false;
  const { status } = faults.take("pods", "get");
  if (status) throw new StatusError(status);
  const resource = store.resource("v1", "pods");
  const object = resource && store.get(resource, namespace, pod);
  if (!object) throw new StatusError(failure(404, `pods "${pod}" not found`));
  const container = containerOf(object, pod, url.searchParams.get("container"));
  const previous = url.searchParams.get("previous") === "true";
  const text = logs[`${namespace}/${pod}/${container}${previous ? "/previous" : ""}`];
  if (text === undefined) throw new StatusError(failure(400, nothing(container, pod, previous)));
  const tail = numberOf(url.searchParams, "tailLines");
  const limit = numberOf(url.searchParams, "limitBytes");
  response.writeHead(200, { "content-type": "text/plain" });
  response.end(Buffer.from(tail === undefined ? text : lastLines(text, tail)).subarray(0, limit));
  return true;
}

function containerOf(object: unknown, pod: string, asked: string | null): string {
  const names = ["initContainers", "containers"].flatMap((field) =>
    listAt(object, "spec", field).map((container) => textAt(container, "name")),
  );
  if (asked !== null) {
    if (names.includes(asked)) return asked;
    throw new StatusError(failure(400, `container ${asked} is not valid for pod ${pod}`));
  }
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return only;
  throw new StatusError(
    failure(400, `a container name must be specified for pod ${pod}, choose one of: [${names.join(" ")}]`),
  );
}

function nothing(container: string, pod: string, previous: boolean): string {
  return previous
    ? `previous terminated container "${container}" in pod "${pod}" not found`
    : `container "${container}" in pod "${pod}" is waiting to start: ContainerCreating`;
}

function lastLines(text: string, count: number): string {
  const lines = text.split(/(?<=\n)/);
  return lines.slice(Math.max(0, lines.length - count)).join("");
}
