/** A value of a table: null is not known, and an empty field. */
export type CsvValue = string | number | null;

/**
 * A table as CSV (RFC 4180: CRLF after every line, quotes doubled). Text that a spreadsheet would take for a formula
 * gets a quote mark before it (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function toCsv(header: readonly string[], lines: readonly (readonly CsvValue[])[]): string {
  return [header, ...lines].map((line) => `${line.map(field).join(",")}\r\n`).join("");
}

function field(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
