import { defaults } from '../defaults.js';

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** A heading as plain text: no markers, link targets or emphasis, on one line, of bounded length. */
export function headingText(source: string): string {
  // Markup is removed before the cut, from no more text than a heading of that length can need.
  const raw = source.trim().slice(0, 4 * defaults.chunk.maxHeadingChars);
  const kept: string[] = [];
  const keep = (text: string): string => `\u0000${kept.push(text) - 1}\u0000`;
  const plain = raw
    .replaceAll('\u0000', '')
    .replace(/\\([!-/:-@[-`{-~])/g, (_, char: string) => keep(char))
    .replace(/(`+)([^`]+)\1/g, (_, __, code: string) => keep(code.trim()))
    .replace(
      /!?\[\[([^\]|]*)(?:\|([^\]]*))?\]\]/g,
      (_, target: string, alias: string | undefined) => alias ?? target,
    )
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, (tag) => (/^<(?:https?|mailto):/i.test(tag) ? tag.slice(1, -1) : ''))
    .replace(/(\*{1,3}|~~)(?=\S)([^*~]*[^\s*~])\1/g, '$2')
    .replace(/(^|[^\p{L}\p{N}_])(_{1,3})(?=\S)([^_]*[^\s_])\2(?![\p{L}\p{N}_])/gu, '$1$3')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\u0000(\d+)\u0000/g, (_, index: string) => kept[Number(index)] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= defaults.chunk.maxHeadingChars) return plain;
  return plain
    .slice(0, defaults.chunk.maxHeadingChars)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trimEnd();
}
