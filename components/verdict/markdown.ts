import { formatAge } from "@/components/ui/format.ts";
import type { ConsideredView, EvidenceView, StuckView } from "@/lib/model/fleet-view.ts";
import type { ObjectRef } from "@/lib/model/snapshot.ts";
import { LAYER_INFO, LAYERS } from "@/lib/model/stages.ts";

/** Ends a mention, an issue number or a link where it stands in plain text. */
const BREAK = "\u200b";

/** Control, bidirectional-override and zero-width characters: one line stays one line, read as it is written. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

const MARKUP = /[\\`*_~|[\]]/g;

const HTML: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };

/**
 * Text of the cluster as Markdown that shows just this text: no markup, HTML, mention, reference or link comes of it.
 * https://spec.commonmark.org/0.31.2/#backslash-escapes, https://github.github.com/gfm/#autolinks-extension-
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(MARKUP, "\\$&")
    .replace(/[<>&]/g, (character) => HTML[character] ?? "")
    .replace(/[@#]|:(?=\/\/)|\bwww(?=\.)/gi, `$&${BREAK}`);
}

/** `text` as a code span whose fence is longer than any run of backticks in it. https://spec.commonmark.org/0.31.2/#code-spans */
export function codeSpan(text: string): string {
  const line = oneLine(text) || " ";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

function oneLine(text: string): string {
  return text.replace(UNPRINTABLE, " ").trim();
}

/**
 * A verdict as Markdown for an incident channel. `link`: address of the page that shows it; `now`: epoch milliseconds.
 * Lists only: chat programs draw no tables.
 */
export function stuckMarkdown(stuck: StuckView, options: { link: string; now: number }): string {
  const sections: (readonly [title: string, lines: readonly string[]])[] = [
    ["The four layers", [...LAYERS].reverse().map((layer) => layerLine(stuck, layer))],
    ["Evidence", stuck.evidence.map(evidenceLine)],
    ["Where it could run", stuck.considered.map(consideredLine)],
    [
      "Who holds the GPUs",
      stuck.holders.map(
        ({ namespace, name, node, gpus }) =>
          `${codeSpan(`${namespace}/${name}`)} on ${codeSpan(node)}: ${gpuCount(gpus)}`,
      ),
    ],
    [
      "What would block next",
      stuck.blocksNext.map(
        ({ layer, reason, step }) => `${layer} ${escapeMarkdown(reason)}: ${escapeMarkdown(step)}`,
      ),
    ],
    ["Next step", stuck.next.map((step) => (isCommand(step) ? codeSpan(step) : escapeMarkdown(step)))],
  ];
  const parts = [
    headline(stuck, options.now),
    `> ${escapeMarkdown(stuck.sentence)}`,
    list(facts(stuck)),
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `**${title}**\n\n${list(lines)}`),
    options.link,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** True where a next step is a command to run rather than a sentence. */
export function isCommand(step: string): boolean {
  return step.startsWith("kubectl ");
}

function headline(stuck: StuckView, now: number): string {
  const waiting = stuck.since
    ? `, for ${formatAge(now - Date.parse(stuck.since))} (since ${utc(stuck.since)})`
    : "";
  const object = codeSpan(`${stuck.namespace}/${stuck.name}`);
  const more = stuck.count > 1 ? ` and ${stuck.count - 1} more` : "";
  return `**${stuck.layer} ${escapeMarkdown(stuck.reason)}**: ${escapeMarkdown(stuck.kind)} ${object}${more} ${more ? "are" : "is"} stuck, ${gpuCount(stuck.gpus)}${waiting}`;
}

function facts(stuck: StuckView): string[] {
  return [
    `Whose move: **${escapeMarkdown(stuck.owner)}**${stuck.contact === null ? "" : ` (${escapeMarkdown(stuck.contact)})`}`,
    `Sure: ${stuck.certainty}, ${escapeMarkdown(stuck.certaintyWhy)}`,
    ...(stuck.gang ? [`Gang: ${stuck.gang.placed} of ${stuck.gang.size} have a place`] : []),
    ...(stuck.isBlurred ? ["Dynamic resource allocation: the border between L2 and L3 is blurred"] : []),
    ...(stuck.workload ? [`Workload: ${reference(stuck.workload)}`] : []),
  ];
}

function layerLine(stuck: StuckView, layer: keyof typeof LAYER_INFO): string {
  const step = stuck.ladder[layer];
  const state = step.state === "broken" ? "**at fault**" : step.state.replace("-", " ");
  const detail = step.detail ? `, ${escapeMarkdown(step.detail)}` : "";
  return `${layer} ${LAYER_INFO[layer].title}: ${state}${detail}`;
}

function evidenceLine({ object, field, value, at }: EvidenceView): string {
  const what = field ? `${codeSpan(field)} = ${codeSpan(value)}` : codeSpan(value);
  return `${reference(object)}: ${what}${at ? ` (${utc(at)})` : ""}`;
}

function consideredLine(row: ConsideredView): string {
  const first = row.nodes[0];
  const nodes = row.nodeCount === 1 && first ? codeSpan(first) : `${row.nodeCount} nodes`;
  const pool = row.pool === null ? "" : ` of ${codeSpan(row.pool)}`;
  return `${nodes}${pool}: ${row.gpusFree} of ${gpuCount(row.gpusTotal)} free, ${row.layer} ${escapeMarkdown(row.why)}`;
}

function reference({ kind, namespace, name }: ObjectRef): string {
  return `${escapeMarkdown(kind)} ${codeSpan(namespace ? `${namespace}/${name}` : name)}`;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function gpuCount(gpus: number): string {
  return `${gpus} GPU${gpus === 1 ? "" : "s"}`;
}

function utc(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}
