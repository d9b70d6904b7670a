/** A field that narrows a list to words. Escape empties it first, before it closes anything. */
export function SearchBox({
  label,
  text,
  onText,
}: {
  label: string;
  text: string;
  onText: (text: string) => void;
}) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder="Filter"
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && text !== "") {
          event.preventDefault();
          onText("");
        }
      }}
      className="h-6 w-28 rounded-md border border-line bg-panel px-2 text-xs placeholder:text-ink-3"
    />
  );
}
