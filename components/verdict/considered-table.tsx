import { formatCount } from "@/components/ui/format.ts";
import { LayerTag } from "@/components/ui/layer-tag.tsx";
import type { ConsideredView } from "@/lib/model/fleet-view.ts";
import { ObjectLink } from "./object-link.tsx";
import { SelectionLink } from "./selection-link.tsx";

/** Up to this many nodes are all named; of more, the first. */
const NAMED = 3;

/** The nodes that were looked at and why none takes the pod. `poolNames`: pool id to name. */
export function ConsideredTable({
  considered,
  poolNames,
}: {
  considered: readonly ConsideredView[];
  poolNames: ReadonlyMap<string, string>;
}) {
  return (
    <table className="w-full text-xs">
      <thead>
        <tr className="text-left text-ink-3">
          <th scope="col" className="pr-2 pb-1 font-[500]">
            node
          </th>
          <th scope="col" className="pr-2 pb-1 font-[500]">
            pool
          </th>
          <th scope="col" className="pr-3 pb-1 text-right font-[500] whitespace-nowrap">
            GPUs free
          </th>
          <th scope="col" className="pb-1 font-[500]">
            why not
          </th>
        </tr>
      </thead>
      <tbody>
        {considered.map((row) => (
          <tr key={`${row.nodes[0]}|${row.why}`} className="border-t border-line-soft align-top">
            <td className="py-1.5 pr-2 wrap-anywhere">
              <NodeNames row={row} />
            </td>
            <td className="py-1.5 pr-2 break-words">
              {row.pool === null ? (
                <span className="text-ink-2">none</span>
              ) : (
                <SelectionLink to={{ kind: "pool", id: row.pool }} className="underline decoration-line">
                  {poolNames.get(row.pool) ?? row.pool}
                </SelectionLink>
              )}
            </td>
            <td className="py-1.5 pr-3 text-right whitespace-nowrap tabular-nums">
              {formatCount(row.gpusFree)} of {formatCount(row.gpusTotal)}
            </td>
            <td className="py-1.5">
              <LayerTag layer={row.layer} /> {row.why}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NodeNames({ row }: { row: ConsideredView }) {
  const named = row.nodes.slice(0, row.nodeCount > NAMED ? 1 : NAMED);
  const more = row.nodeCount - named.length;
  return (
    <>
      {named.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <ObjectLink object={{ kind: "Node", name }} />
        </span>
      ))}
      {more > 0 && <span className="text-ink-2"> + {formatCount(more)} more</span>}
    </>
  );
}
