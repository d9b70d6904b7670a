import { type Selection, shows } from "@/lib/client/selection.ts";
import type { StuckView } from "@/lib/model/fleet-view.ts";
import { StuckTableRow, WIDE } from "./stuck-table-row.tsx";

/** The rows of the list; `selected` is the one whose drawer is open. */
export function StuckTable({ rows, selected }: { rows: readonly StuckView[]; selected: Selection | null }) {
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
            <StuckTableRow key={row.id} entry={row} open={selected !== null && shows(selected, row)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
