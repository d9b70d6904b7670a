import { formatCount } from "@/components/ui/format.ts";
import type { Selection } from "@/lib/client/selection.ts";
import type { ObjectRef } from "@/lib/model/snapshot.ts";
import { findMentions, nameOf } from "./mentions.ts";
import { ObjectLink } from "./object-link.tsx";
import { SelectionLink } from "./selection-link.tsx";

const NAMED = 3;

/**
 * A sentence in which the objects behind it are links; those that it does not name follow it. `objectCount`: all of
 * them; `more`: where the rest can be seen.
 */
export function LinkedText({
  text,
  objects,
  objectCount = objects.length,
  more,
}: {
  text: string;
  objects: readonly ObjectRef[];
  objectCount?: number;
  more?: Selection;
}) {
  const { parts, rest } = findMentions(text, objects);
  const mentioned = objects.length - rest.length;
  const named = rest.slice(0, Math.max(0, NAMED - mentioned));
  const left = objectCount - mentioned - named.length;
  const phrase = `${formatCount(left)} more`;
  const said = text.includes(phrase);
  return (
    <>
      {parts.map((part) =>
        typeof part !== "string" ? (
          <ObjectLink key={`${part.kind}/${nameOf(part)}`} object={part} />
        ) : left > 0 && part.includes(phrase) ? (
          <TextWithMore key={part} text={part} phrase={phrase} more={more} />
        ) : (
          part
        ),
      )}
      {named.map((object, index) => (
        <span key={`${object.kind}/${nameOf(object)}`}>
          {index > 0 ? ", " : " "}
          <ObjectLink object={object} />
        </span>
      ))}
      {left > 0 && !said && <TextWithMore text={` + ${phrase}`} phrase={phrase} more={more} />}
    </>
  );
}

/** Words in which `phrase`, the count of what is not named, leads to where it is. */
function TextWithMore({ text, phrase, more }: { text: string; phrase: string; more: Selection | undefined }) {
  if (!more) return text;
  const at = text.indexOf(phrase);
  return (
    <>
      {text.slice(0, at)}
      <SelectionLink to={more} className="whitespace-nowrap underline decoration-line">
        {phrase}
      </SelectionLink>
      {text.slice(at + phrase.length)}
    </>
  );
}
