import { Button } from "@/components/ui/button.tsx";
import { formatCount } from "@/components/ui/format.ts";

/** Says that a list is cut, `showing 8 of 31 losses`, and offers the rest; nothing where it is whole. */
export function ShowMore({
  shown,
  total,
  what,
  onMore,
}: {
  shown: number;
  total: number;
  what: string;
  onMore: () => void;
}) {
  if (shown >= total) return null;
  return (
    <p className="flex items-center gap-2 py-1.5 text-xs text-ink-2 tabular-nums">
      showing {formatCount(shown)} of {formatCount(total)} {what}
      <Button onClick={onMore}>show all {formatCount(total)}</Button>
    </p>
  );
}
