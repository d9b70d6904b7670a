/** An amount of a resource as a person writes it, from the units of `Resources`. */
export function formatAmount(resource: string, amount: number): string {
  if (resource === "cpu") return trim(amount / 1000);
  if (resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-")) {
    return formatBytes(amount);
  }
  return String(amount);
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${trim(bytes / 1024 ** power)} ${UNITS[power]}`;
}

const trim = (value: number): string => String(Math.round(value * 100) / 100);
