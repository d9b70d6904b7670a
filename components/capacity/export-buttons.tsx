"use client";

import { Button } from "@/components/ui/button.tsx";
import { formatCount } from "@/components/ui/format.ts";
import { capacityCsv, capacityJson } from "./capacity-export.ts";
import type { CapacityRow } from "./capacity-row.ts";

/** Takes the rows away as they are listed. `asOf`: ISO time of their figures, in the file's name too. */
export function ExportButtons({ rows, asOf }: { rows: readonly CapacityRow[]; asOf: string }) {
  const name = `seamline-capacity-${asOf.slice(0, 16).replaceAll(":", "-")}`;
  const title = `Download ${formatCount(rows.length)} as listed`;
  return (
    <span className="flex gap-1.5">
      <Button
        title={title}
        aria-label={`${title}, as CSV`}
        onClick={() => download(`${name}.csv`, "text/csv", capacityCsv(rows))}
      >
        ↓ CSV
      </Button>
      <Button
        title={title}
        aria-label={`${title}, as JSON`}
        onClick={() => download(`${name}.json`, "application/json", capacityJson(rows, asOf))}
      >
        ↓ JSON
      </Button>
    </span>
  );
}

function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser may begin to read it after this call.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
