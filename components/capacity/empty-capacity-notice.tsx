import { Notice } from "@/components/notices/notice.tsx";
import type { SourceView } from "@/lib/model/fleet-view.ts";
import { emptyCapacity } from "./empty-capacity.ts";

/** There is no reservation to show: why, and what to do about it. */
export function EmptyCapacityNotice({ sources }: { sources: readonly SourceView[] }) {
  const empty = emptyCapacity(sources);
  switch (empty.kind) {
    case "not-configured":
      return (
        <Notice title="No reservations are configured">
          <p>
            Nothing says yet what is paid for. Set <Code>SEAMLINE_RESERVATIONS</Code> to one file or several
            with a comma between, as the providers’ own programs print them (
            <Code>aws ec2 describe-capacity-reservations</Code>,{" "}
            <Code>gcloud compute reservations list --format=json</Code>,{" "}
            <Code>az capacity reservation list</Code>) or in the generic record, or name accounts to ask in
            the file that <Code>SEAMLINE_CONFIG</Code> names.
          </p>
        </Notice>
      );
    case "loading":
      return (
        <Notice title="Reading the reservations">
          <p>They are read for the first time. Nothing is counted until they are there.</p>
        </Notice>
      );
    case "unread":
      return (
        <Notice title="Reservations cannot be read" alert>
          <p>
            {empty.sources.map(({ id, state }) => `${id} is ${state.replace("-", " ")}`).join(", ")}: see
            above what is wrong.
          </p>
          <p>What is paid for is unknown until it can be read, not nothing.</p>
        </Notice>
      );
    case "none":
      return (
        <Notice title="No reservations">
          <p>{empty.sources.map(({ id }) => id).join(", ")} was read and lists none.</p>
        </Notice>
      );
    default:
      return empty satisfies never;
  }
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-xs">{children}</code>;
}
