import type { ChunkSpan } from '../../contracts/index.js';
import { CorvidError, show } from '../../errors.js';
import { defaults } from '../defaults.js';
import { codeHeadings } from './code-headings.js';
import { frontmatterEnd } from './frontmatter-end.js';
import { packSections } from './pack-sections.js';
import { scanCode } from './scan-code.js';
import { scanMarkdown } from './scan-markdown.js';
import { scanPlain } from './scan-plain.js';

/** How {@link chunkText} cuts. Lengths are UTF-16 units. */
export interface ChunkOptions {
  /** `markdown` follows headings and blocks; `plain` paragraphs and sentences; `code` definitions and lines. */
  format: 'markdown' | 'plain' | 'code';
  /** Of code: a name as {@link codeLanguage} gives it. Without one, what many languages have in common counts. */
  language?: string | undefined;
  /** Blocks are packed up to this length; default `defaults.chunk.targetChars`, never above `maxChars`. */
  targetChars?: number | undefined;
  /** No chunk is longer; at least 2. Default `defaults.chunk.maxChars`. */
  maxChars?: number | undefined;
}

/**
 * Cuts a text into passages: in order, not overlapping, none blank, none longer than `maxChars`, without white
 * space at their ends, and together holding every other character. Only the frontmatter of a markdown text
 * belongs to no passage; a text of nothing else has none. A passage's `headingPath` names the headings it stands
 * under; the heading that opens it is the last of them. A passage of code has the definition it begins in, else the
 * first it holds, in their place. Takes time linear in the text's length.
 *
 * @throws CorvidError `invalid-argument` for lengths that cannot be used.
 */
export function chunkText(text: string, o: ChunkOptions): ChunkSpan[] {
  const max = length(o.maxChars ?? defaults.chunk.maxChars, 'maxChars', 2);
  const target = Math.min(max, length(o.targetChars ?? defaults.chunk.targetChars, 'targetChars', 1));
  const limits = { target, max, min: Math.min(defaults.chunk.minChars, target >> 2) };
  if (o.format === 'code') {
    const scan = scanCode(text, o.language);
    const passages = packSections(text, scan, { ...limits, byLines: true });
    const headings = codeHeadings(passages, scan);
    return passages.map(({ start, end }, ordinal) => ({
      ordinal,
      start,
      end,
      headingPath: headings[ordinal] ?? [],
    }));
  }
  const byLines = o.format === 'markdown';
  const scan = byLines ? scanMarkdown(text, frontmatterEnd(text)) : scanPlain(text);
  const passages = packSections(text, scan, { ...limits, byLines });
  return passages.map(({ start, end, headingPath }, ordinal) => ({ ordinal, start, end, headingPath }));
}

function length(value: number, name: string, least: number): number {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new CorvidError(
      'invalid-argument',
      `${name} must be a whole number of at least ${least}, not ${show(value)}.`,
      {
        hint: `Leave it out for ${show(defaults.chunk.targetChars)} to ${show(defaults.chunk.maxChars)} characters.`,
      },
    );
  }
  return value;
}
