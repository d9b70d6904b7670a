/** `1 node`, `3 nodes`. */
export function countInWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `a`, `a and b`, `a, b and 5 more`: at most `most` items by name. */
export function listInWords(items: readonly string[], most = 3): string {
  const shown = items.length <= most ? items : items.slice(0, most - 1);
  const rest = items.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

const GiB = 2 ** 30;

/** An amount of a resource as a person says it: `12 CPUs`, `64 GiB of memory`, `1 pod`, `4 rdma/ib`. */
export function amountInWords(resource: string, amount: number): string {
  switch (resource) {
    case "cpu":
      return countInWords(short(amount / 1000), "CPU");
    case "memory":
      return `${short(amount / GiB)} GiB of memory`;
    case "ephemeral-storage":
      return `${short(amount / GiB)} GiB of ephemeral storage`;
    case "pods":
      return countInWords(amount, "pod");
    default:
      return `${short(amount)} ${resource}`;
  }
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}

/** `11:19 UTC`, with the day where it is not that of `now`. */
export function timeInWords(time: number, now: number): string {
  const date = new Date(time);
  const today = new Date(now);
  if (Number.isNaN(date.getTime()) || Number.isNaN(today.getTime())) return "an unknown time";
  const iso = date.toISOString();
  const clock = `${iso.slice(11, 16)} UTC`;
  return iso.slice(0, 10) === today.toISOString().slice(0, 10) ? clock : `${iso.slice(0, 10)} ${clock}`;
}

/** What a topology key tells apart: `node`, `zone`, `rack`; the key itself where its name does not say. */
export function topologyInWords(key: string): string {
  if (key === "kubernetes.io/hostname") return "node";
  return /(?:^|[/.-])(zone|region|rack|block|host)$/.exec(key)?.[1] ?? key;
}

/** Text of unknown length and origin on one line, cut at `most` characters. */
export function cutText(text: string, most = 400): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** A name as one word of a shell command. Names from a cluster are harmless, those of a file may not be. */
export function shellWord(name: string): string {
  return /^[A-Za-z0-9._:/@-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
