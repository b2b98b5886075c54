import type { ItemKind } from '../contracts/index.js';

/** What the header of a chunk is made from. */
export interface HeaderInput {
  kind: ItemKind;
  uri: string | null;
  speaker: string | null;
  author: string | null;
  keywords: readonly string[];
  date: string | null;
  occurredAt: number | null;
  tags: readonly string[];
  /** Headings above the chunk. */
  headingPath: readonly string[];
}

/**
 * What is indexed and embedded beside a chunk's text, in parts: who, when, and under which headings. The
 * lexical index also gets the path and file name; the embedder does not, since a path says little in prose.
 */
export function makeHeader(item: HeaderInput, target: 'lexical' | 'embedding'): string[] {
  const parts: string[] = [];
  if (item.speaker) parts.push(item.speaker);
  if (item.date) parts.push(item.date);
  // A document's date is when its file was written; only what happened at a time is asked for by its date.
  if (
    item.occurredAt !== null &&
    (item.kind === 'memory' || item.kind === 'message' || item.kind === 'observation')
  ) {
    parts.push(dateWords(item.occurredAt));
  }
  if (item.author) parts.push(item.author);
  if (item.keywords.length > 0) parts.push(item.keywords.join(', '));
  if (item.tags.length > 0) parts.push(item.tags.join(', '));
  if (item.headingPath.length > 0) parts.push(item.headingPath.join(' > '));
  if (target === 'lexical' && item.uri) parts.push(item.uri);
  return parts;
}

/** `2031-07-19 July`: the ISO date (UTC) and the English name of the month. */
function dateWords(time: number): string {
  const date = new Date(time);
  return `${date.toISOString().slice(0, date.toISOString().indexOf('T'))} ${MONTHS[date.getUTCMonth()]}`;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
