import { splitLines } from './lines.js';
import { type BlockScan, Break } from './scan-markdown.js';

/** A plain text line by line: paragraphs are parted by blank lines, and there is no other structure. */
export function scanPlain(text: string): BlockScan {
  const lines = splitLines(text, 0);
  const breaks = new Int8Array(lines.starts.length);
  let blank = true;
  lines.starts.forEach((start, i) => {
    const wasBlank = blank;
    blank = text.slice(start, lines.ends[i]).trim() === '';
    if (!blank && wasBlank) breaks[i] = Break.block;
  });
  return { lines, breaks, headings: [], fences: [] };
}
