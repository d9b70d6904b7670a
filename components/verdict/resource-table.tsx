import type { NodeDetailView } from "@/lib/model/detail-view.ts";

/** A node's resources in Kubernetes' own units; `absent` where its status does not name one. */
export function ResourceTable({ resources }: Pick<NodeDetailView, "resources">) {
  return (
    <table className="w-full text-xs tabular-nums">
      <thead>
        <tr className="text-right text-ink-3">
          <th scope="col" className="pb-1 text-left font-[500]">
            resource
          </th>
          {["capacity", "allocatable", "requested"].map((column) => (
            <th key={column} scope="col" className="pb-1 pl-3 font-[500]">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {resources.map(({ name, capacity, allocatable, requested }) => (
          <tr key={name} className="border-t border-line-soft text-right">
            <th scope="row" className="py-1.5 text-left font-mono font-normal wrap-anywhere">
              {name}
            </th>
            <td className="py-1.5 pl-3">{capacity ?? "absent"}</td>
            <td className="py-1.5 pl-3">{allocatable ?? "absent"}</td>
            <td className="py-1.5 pl-3">{requested}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
