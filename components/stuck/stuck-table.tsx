import type { Selection } from "@/lib/client/selection.ts";
import type { StuckRow } from "./stuck-rows.ts";
import { StuckTableRow, WIDE } from "./stuck-table-row.tsx";

/** The rows of the list; `selected` is the one whose drawer is open. */
export function StuckTable({ rows, selected }: { rows: readonly StuckRow[]; selected: Selection | null }) {
  return (
    <div className="@container">
      <table className="w-full">
        <thead className="text-left text-xs text-ink-3">
          <tr>
            <th scope="col" className="pb-1.5 pl-4 font-[500]">
              Layer at fault
            </th>
            <th scope="col" className="pb-1.5 pl-3 font-[500]">
              Workload
            </th>
            <th scope="col" className={`pb-1.5 pl-3 font-[500] whitespace-nowrap ${WIDE}`}>
              L1 L2 L3 L4
            </th>
            <th scope="col" className={`pb-1.5 pl-3 font-[500] ${WIDE}`}>
              Why
            </th>
            <th scope="col" className={`pb-1.5 pl-3 text-right font-[500] ${WIDE}`}>
              GPUs
            </th>
            <th scope="col" className={`pb-1.5 pl-3 text-right font-[500] ${WIDE}`}>
              Waiting
            </th>
            <th scope="col" className={`pr-4 pb-1.5 pl-3 font-[500] ${WIDE}`}>
              Whose move
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <StuckTableRow key={row.id} row={row} open={isOpen(row, selected)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isOpen({ pods }: StuckRow, selected: Selection | null): boolean {
  if (selected?.kind !== "pod") return false;
  return pods.some(({ namespace, name }) => namespace === selected.namespace && name === selected.name);
}
