import type { ObjectRef } from "@/lib/model/snapshot.ts";

/** A piece of a sentence: words, or the name of an object. */
export type SentencePart = string | ObjectRef;

/** Characters of names: a name that goes on with one of them is another name. */
const NAME = /[A-Za-z0-9._/-]/;

/** How an object is written in a sentence: `namespace/name`, or its name alone. */
export function nameOf({ namespace, name }: ObjectRef): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** `text` cut at the first mention of each of `objects`; those not mentioned are `rest`. */
export function findMentions(
  text: string,
  objects: readonly ObjectRef[],
): { readonly parts: readonly SentencePart[]; readonly rest: readonly ObjectRef[] } {
  const found = objects.map((object) => ({ object, at: indexOfName(text, nameOf(object)) }));
  const parts: SentencePart[] = [];
  let from = 0;
  for (const { object, at } of found.filter((each) => each.at >= 0).sort((a, b) => a.at - b.at)) {
    if (at < from) continue;
    if (at > from) parts.push(text.slice(from, at));
    parts.push(object);
    from = at + nameOf(object).length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return { parts, rest: found.filter(({ at }) => at < 0).map(({ object }) => object) };
}

function indexOfName(text: string, name: string): number {
  if (name === "") return -1;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const after = text.slice(at + name.length);
    // A full stop ends a sentence, unless a name goes on after it.
    const goesOn = NAME.test(after.charAt(0)) && !/^\.(?:\s|$)/.test(after);
    if (!NAME.test(text.charAt(at - 1)) && !goesOn) return at;
  }
  return -1;
}
