import { textAt } from "./json-value.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import { failure, StatusError } from "./status.ts";

/** Whether an object is among those asked for. */
export type Selector = (object: KubernetesObject) => boolean;

const TERM = /^([^=!]+)(==|=|!=)(.*)$/;

/**
 * `fieldSelector` and `labelSelector` with equality terms (`=`, `==`, `!=`), as kubectl sends them.
 * Throws a 400 Status at any other term, as answering more than was asked would mislead.
 */
export function parseSelector(query: URLSearchParams): Selector {
  const fields = terms(query.get("fieldSelector"));
  const labels = terms(query.get("labelSelector"));
  return (object) =>
    fields.every(({ key, equal, value }) => (textAt(object, ...key.split(".")) === value) === equal) &&
    labels.every(({ key, equal, value }) => (textAt(object, "metadata", "labels", key) === value) === equal);
}

function terms(selector: string | null) {
  return (selector ?? "")
    .split(",")
    .filter((term) => term !== "")
    .map((term) => {
      const [, key, operator, value] = TERM.exec(term) ?? [];
      if (key === undefined || value === undefined) {
        throw new StatusError(failure(400, `unable to parse requirement: ${term}`));
      }
      return { key: key.trim(), equal: operator !== "!=", value: value.trim() };
    });
}
