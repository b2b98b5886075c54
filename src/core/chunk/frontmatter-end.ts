import { defaults } from '../defaults.js';

const FENCE = /^---[ \t]*$/;
const CLOSE = /^(?:---|\.\.\.)[ \t]*$/;
/** `key:` or `"key":`, or a flow mapping. */
const ENTRY = /^(?:[^\s:#][^:]*|"[^"]*"|'[^']*')[ \t]*:(?:\s|$)|^\{/;

/**
 * Where the text goes on after a leading YAML frontmatter block: the offset (UTF-16 units) just past the line
 * that closes it, or 0 when there is none. A block opens with `---` on the very first line, closes with `---`
 * or `...`, and holds a mapping or nothing: prose between two thematic breaks is text that must be found.
 */
export function frontmatterEnd(text: string): number {
  if (!text.startsWith('---')) return 0;
  const limit = Math.min(text.length, defaults.chunk.maxFrontmatterChars);
  const newline = /\r\n|\n|\r/g;
  let start = 0;
  let first = true;
  let checked = false;
  while (start < limit) {
    newline.lastIndex = start;
    const match = newline.exec(text);
    const end = match ? match.index : text.length;
    const next = match ? match.index + match[0].length : text.length;
    // A line that ends past the limit is not copied: it may be the whole file.
    const line = end > limit ? '' : text.slice(start, end);
    if (first) {
      if (!FENCE.test(line)) return 0;
      first = false;
    } else if (end > limit) return 0;
    else if (CLOSE.test(line)) return next;
    else if (!checked && line.trim() !== '' && !line.startsWith('#')) {
      if (!ENTRY.test(line)) return 0;
      checked = true;
    }
    start = next;
  }
  return 0;
}
