import { Age } from "@/components/ui/age.tsx";
import { formatCount } from "@/components/ui/format.ts";
import type { FleetView, SourceView } from "@/lib/model/fleet-view.ts";
import { Notice } from "./notice.tsx";

/** The cluster has not answered yet. */
export function LoadingNotice({ view }: { view: FleetView }) {
  return (
    <Notice title={`Reading ${view.cluster.name}`}>
      <p>
        Nodes and pods are listed for the first time{serverPart(view)}. Nothing is counted until they are
        there.
      </p>
    </Notice>
  );
}

/** The cluster could never be read: said as such, never as an empty fleet. */
export function UnreadNotice({ view, source }: { view: FleetView; source: SourceView }) {
  return (
    <Notice title={`${view.cluster.name} cannot be read: ${source.state.replace("-", " ")}`} alert>
      {view.cluster.server !== null && (
        <p>
          Server <code className="font-mono text-xs">{view.cluster.server}</code>
        </p>
      )}
      <Problem source={source} />
      <p>It is tried again by itself; this page changes as soon as there is an answer.</p>
    </Notice>
  );
}

/** No pools: no accelerator was found and none is paid for. */
export function EmptyNotice({ view }: { view: FleetView }) {
  const { nodes } = view.counts;
  return (
    <Notice title="No accelerators found">
      <p>
        {formatCount(nodes)} {nodes === 1 ? "node" : "nodes"}, none advertises an accelerator or is of a type
        known to have one. No reservations are read: set{" "}
        <code className="font-mono text-xs">SEAMLINE_RESERVATIONS</code> to a file to see what is paid for,
        and <code className="font-mono text-xs">SEAMLINE_GPU_RESOURCES</code> for resource names of your own.
      </p>
    </Notice>
  );
}

/** Sources with a problem beside those that are read. */
export function FailingSources({ sources }: { sources: readonly SourceView[] }) {
  if (sources.length === 0) return null;
  return (
    <ul aria-label="Sources with problems" className="mb-3.5 grid gap-1.5">
      {sources.map((source) => (
        <li
          key={`${source.id} ${source.state}`}
          className="rounded-lg border border-warn/40 bg-warn-soft px-4 py-2 text-xs [&_p]:inline"
        >
          <b className="font-semibold text-warn">
            {source.id}: {source.state.replace("-", " ")}
            {source.asOf !== null && (
              <>
                , data from <Age since={source.asOf} /> ago
              </>
            )}
            :
          </b>{" "}
          <Problem source={source} />
        </li>
      ))}
    </ul>
  );
}

function Problem({ source }: { source: SourceView }) {
  if (!source.error) return null;
  return (
    <>
      <p className="break-words">{source.error.message} </p>
      {source.error.hint !== "" && <p className="break-words">{source.error.hint}</p>}
    </>
  );
}

function serverPart({ cluster }: FleetView): string {
  return cluster.server === null ? "" : ` from ${cluster.server}`;
}
