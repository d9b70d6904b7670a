import type { ComponentProps } from "react";

const LOOK = {
  plain: "border border-line bg-panel hover:bg-field",
  quiet: "text-ink-2 hover:bg-field hover:text-ink",
  chosen: "border border-line bg-field font-[550] text-ink",
} as const;

/** A button of at least 24 px. `tone`: `chosen` for a filter that is on (give `aria-pressed` too). */
export function Button({
  tone = "plain",
  className = "",
  ...rest
}: ComponentProps<"button"> & { tone?: keyof typeof LOOK }) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-6 min-w-6 items-center justify-center gap-1.5 rounded-md px-2 py-0.5 text-xs whitespace-nowrap disabled:opacity-50 ${LOOK[tone]} ${className}`}
      {...rest}
    />
  );
}
