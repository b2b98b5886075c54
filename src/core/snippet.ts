import type { Analyzer, QueryTerm, Snippet } from '../contracts/index.js';
import { defaults } from './defaults.js';

interface Span {
  start: number;
  end: number;
  term: string;
}

/**
 * The stretch of a text that holds the most of the query's terms (the earliest of equals), cut at blanks, its
 * line breaks made spaces. Work is bounded: only the first `scanChars` UTF-16 units are looked at.
 */
export function makeSnippet(
  text: string,
  terms: readonly QueryTerm[],
  analyzer: Analyzer,
  o: { maxChars?: number; scanChars?: number } = {},
): Snippet {
  const maxChars = o.maxChars ?? defaults.snippet.maxChars;
  const scanned = text.slice(0, o.scanChars ?? defaults.snippet.scanChars);
  const spans = matches(scanned, terms, analyzer);
  const from = bestStart(spans, maxChars);
  const [start, end] = window(text, from, maxChars);
  return render(text, start, end, spans);
}

/** Where the text holds a term, ascending. */
function matches(text: string, terms: readonly QueryTerm[], analyzer: Analyzer): Span[] {
  const whole = new Set(terms.filter((term) => !term.prefix).map((term) => term.term));
  const prefixes = terms.filter((term) => term.prefix).map((term) => term.term);
  const spans: Span[] = [];
  analyzer.visit(text, ({ words, wholes }, start, end) => {
    for (const form of wholes) {
      if (!whole.has(form)) continue;
      spans.push({ start, end, term: form });
      return;
    }
    for (const word of words) {
      if (whole.has(word.term)) spans.push(spanOf(word.term, start + word.start, start + word.end));
      for (const prefix of prefixes) {
        if (!word.term.startsWith(prefix)) continue;
        const at = start + word.start;
        spans.push(spanOf(prefix, at, Math.min(at + prefix.length, start + word.end)));
        break;
      }
    }
  });
  return spans;
}

function spanOf(term: string, start: number, end: number): Span {
  return { start, end, term };
}

/** Start of the window with the most distinct terms; with equally many, with the most matches; then the earliest. */
function bestStart(spans: readonly Span[], maxChars: number): number {
  const inside = new Map<string, number>();
  let best = 0;
  let bestDistinct = 0;
  let bestCount = 0;
  let tail = 0;
  for (let head = 0; head < spans.length; head++) {
    const span = spans[head]!;
    inside.set(span.term, (inside.get(span.term) ?? 0) + 1);
    // A margin of a quarter keeps some words before and after the matches.
    while (span.end - spans[tail]!.start > maxChars * 0.75 && tail < head) {
      const gone = spans[tail++]!;
      const left = inside.get(gone.term)! - 1;
      if (left === 0) inside.delete(gone.term);
      else inside.set(gone.term, left);
    }
    const count = head - tail + 1;
    if (inside.size > bestDistinct || (inside.size === bestDistinct && count > bestCount)) {
      best = spans[tail]!.start;
      bestDistinct = inside.size;
      bestCount = count;
    }
  }
  return best;
}

/** A window around `from`, at blanks where they are near, never within a surrogate pair. */
function window(text: string, from: number, maxChars: number): [number, number] {
  if (text.length <= maxChars) return trim(text, 0, text.length);
  let start = Math.max(0, Math.min(from - Math.floor(maxChars / 8), text.length - maxChars));
  let end = Math.min(text.length, start + maxChars);
  const near = Math.floor(maxChars / 8);
  if (start > 0) {
    const blank = text.slice(start, Math.min(start + near, from + 1)).search(/\s/);
    if (blank >= 0) start += blank + 1;
    else if (isLowSurrogate(text, start)) start++;
  }
  if (end < text.length) {
    const tail = text.slice(end - near, end + 1);
    const blank = Math.max(tail.lastIndexOf(' '), tail.lastIndexOf('\n'));
    if (blank > 0) end = end - near + blank;
    else if (isLowSurrogate(text, end)) end--;
  }
  return trim(text, start, end);
}

function trim(text: string, start: number, end: number): [number, number] {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return [from, to];
}

/** What `\s` matches, without a pattern for the common case. */
function isBlank(code: number): boolean {
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13);
  return /\s/.test(String.fromCharCode(code));
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The window as one line with an ellipsis where it was cut; highlights that touch or overlap become one. */
function render(text: string, start: number, end: number, spans: readonly Span[]): Snippet {
  const lead = start > 0 && text.slice(0, start).trim() !== '' ? '…' : '';
  const tail = end < text.length && text.slice(end).trim() !== '' ? '…' : '';
  const place: number[] = [];
  let line = lead;
  for (let i = start; i < end; i++) {
    place.push(line.length);
    const character = text[i]!;
    if (isBlank(text.charCodeAt(i))) {
      if (!line.endsWith(' ')) line += ' ';
    } else {
      line += character;
    }
  }
  place.push(line.length);
  const highlights: [number, number][] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (span.start < start || span.end > end) continue;
    const [from, to] = [place[span.start - start]!, place[span.end - start]!];
    const last = highlights.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (to > from) highlights.push([from, to]);
  }
  return { text: line + tail, highlights };
}
