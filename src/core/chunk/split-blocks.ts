import { cutLong } from './cut-long.js';
import { type BlockScan, Break } from './scan-markdown.js';
import { type Range, trimRange } from './whitespace.js';

/** How long passages may get, in UTF-16 units, and what a long one without structure is cut at first. */
export interface Limits {
  target: number;
  max: number;
  min: number;
  /** Whether a block's own lines mean something (markdown), or sentences do (plain text). */
  byLines: boolean;
}

/**
 * Lines [first, end) as ranges without blank ends that fit `max`, cut at the best places there are: between
 * blocks, list items, nested blocks, lines, the lines of a fence, and at last inside a line. `level` is the kind
 * of place that the lines are parted at even when they would fit as they are.
 */
export function splitBlocks(
  text: string,
  scan: BlockScan,
  first: number,
  end: number,
  limits: Limits,
  level: number,
): Range[] {
  const parts: Range[] = [];
  split(text, scan, first, end, limits, level, parts);
  return parts;
}

function split(
  text: string,
  scan: BlockScan,
  first: number,
  end: number,
  limits: Limits,
  level: number,
  parts: Range[],
): void {
  const { starts, ends } = scan.lines;
  if (first >= end) return;
  const range = trimRange(text, starts[first] ?? 0, ends[end - 1] ?? 0);
  if (range.start === range.end) return;
  if (level < Break.block && range.end - range.start <= limits.max) {
    parts.push(range);
    return;
  }
  if (level < Break.fenced || (level < Break.block && !limits.byLines)) {
    parts.push(...cutLong(text, range.start, range.end, limits));
    return;
  }
  let from = first;
  for (let line = first + 1; line < end; line++) {
    if ((scan.breaks[line] ?? 0) >= level) {
      split(text, scan, from, line, limits, level - 1, parts);
      from = line;
    }
  }
  split(text, scan, from, end, limits, level - 1, parts);
}
