import type { Selection } from "@/lib/client/selection.ts";
import type { ObjectRef } from "@/lib/model/snapshot.ts";
import { SelectionLink } from "./selection-link.tsx";

/** An object by its name, as a link where a drawer can show it (nodes and pods), else as text. */
export function ObjectLink({
  object,
  withKind = false,
  className = "",
}: {
  object: ObjectRef;
  withKind?: boolean;
  className?: string;
}) {
  const { kind, namespace, name } = object;
  const words = `${withKind ? `${kind.toLowerCase()}/` : ""}${namespace ? `${namespace}/` : ""}${name}`;
  const to = selectionOf(object);
  if (!to) return <span className={`wrap-anywhere ${className}`}>{words}</span>;
  return (
    <SelectionLink
      to={to}
      className={`inline-block max-w-full wrap-anywhere underline decoration-line hover:decoration-current ${className}`}
    >
      {words}
    </SelectionLink>
  );
}

function selectionOf({ kind, namespace, name }: ObjectRef): Selection | undefined {
  if (kind === "Node") return { kind: "node", name };
  if (kind === "Pod" && namespace) return { kind: "pod", namespace, name };
  return undefined;
}
