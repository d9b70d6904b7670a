/** A long YAML list of Kubernetes objects, in pieces that are YAML texts of their own. */
export interface CutList {
  /** The list without its items, with empty lines in their place. */
  readonly rest: string;
  /** Lines before the first item. */
  readonly itemsLine: number;
  /** Each a YAML sequence of one item. */
  readonly items: readonly string[];
}

/** Shorter texts are read whole: only there do anchors reach from one item into another. */
const LONG = 2 ** 20;

/**
 * Cuts the one document that `kubectl get ... -o yaml` prints for many objects at its items, so that they can be parsed
 * one after the other. undefined where `text` is short or is not laid out in that way: `items:` and its `- ` at the
 * very start of their lines, where no other part of a document can have them.
 */
export function cutList(text: string): CutList | undefined {
  if (text.length < LONG) return undefined;
  const start = /^items:[ \t]*\r?\n(?=- )/m.exec(text);
  if (!start) return undefined;
  const head = text.slice(0, start.index);
  const from = start.index + start[0].length;
  const nextKey = /^[^-\s#]/m.exec(text.slice(from));
  const body = nextKey ? text.slice(from, from + nextKey.index) : text.slice(from);
  const items = body.split(/^(?=- )/m);
  const itemsLine = head.split("\n").length;
  const rest = `${head}${"\n".repeat(body.split("\n").length)}${text.slice(from + body.length)}`;
  return { rest, itemsLine, items };
}
