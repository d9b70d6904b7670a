import { COLUMNS } from "./columns.ts";
import { listAt, textAt, valueAt } from "./json-value.ts";
import { JSON_FORMAT, type WireFormat } from "./wire-format.ts";

/**
 * Answers as tables, which kubectl prints as they are; undefined for kinds without columns of their own.
 * `includeObject` is the parameter of that name. https://kubernetes.io/docs/reference/using-api/api-concepts/#receiving-resources-as-tables
 */
export function tableFormat(
  kind: string,
  includeObject: string | null,
  now: () => number,
): WireFormat | undefined {
  const columns = COLUMNS[kind];
  if (!columns) return undefined;
  const row = (object: unknown) => ({
    cells: columns.map(({ cell }) => cell(object, now())),
    object:
      includeObject === "None"
        ? null
        : includeObject === "Object"
          ? object
          : {
              kind: "PartialObjectMetadata",
              apiVersion: "meta.k8s.io/v1",
              metadata: valueAt(object, "metadata"),
            },
  });
  const table = (object: object) => {
    const answered = textAt(object, "kind");
    if (answered === "Status") return object;
    const list = answered === `${kind}List`;
    return {
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      metadata: list
        ? valueAt(object, "metadata")
        : { resourceVersion: textAt(object, "metadata", "resourceVersion") },
      columnDefinitions: columns.map(({ name, wide }) => ({
        name,
        type: "string",
        format: name === "Name" ? "name" : "",
        description: "",
        priority: wide ? 1 : 0,
      })),
      rows: list ? listAt(object, "items").map(row) : [row(object)],
    };
  };
  return {
    ...JSON_FORMAT,
    body: (object) => JSON_FORMAT.body(table(object)),
    event: (type, object) => JSON_FORMAT.event(type, table(object)),
  };
}
