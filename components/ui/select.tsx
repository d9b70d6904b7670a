/** A choice of one of `options`, or of all (null). Drawn only where there is something to choose. */
export function Select({
  label,
  all,
  value,
  options,
  onChange,
}: {
  label: string;
  all: string;
  value: string | null;
  options: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string | null) => void;
}) {
  if (options.length < 2 && value === null) return null;
  // What was chosen may have gone: it stays visible, so that an empty list explains itself.
  const gone = value !== null && !options.some((option) => option.value === value);
  return (
    <select
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
      className={`h-6 max-w-36 rounded-md border border-line px-1 text-xs ${value === null ? "bg-panel text-ink-2" : "bg-field font-[550]"}`}
    >
      <option value="">{all}</option>
      {gone && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
