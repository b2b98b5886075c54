import { isSpace, type Range, trimRange } from './whitespace.js';

/** How far around a hard cut grapheme clusters are looked at, in UTF-16 units. */
const GRAPHEME_WINDOW = 64;

/**
 * Cuts a passage without inner structure into pieces of about `target` and at most `max` UTF-16 units: at the
 * end of a sentence, else of a line, else at white space, else between two characters as a reader sees them.
 */
export function cutLong(
  text: string,
  start: number,
  end: number,
  o: { target: number; max: number },
): Range[] {
  const pieces: Range[] = [];
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const add = (from: number, to: number) => {
    const piece = trimRange(text, from, to);
    if (piece.start < piece.end) pieces.push(piece);
  };
  const whole = trimRange(text, start, end);
  let pos = whole.start;
  while (whole.end - pos > o.max) {
    const want = pos + o.target;
    const cut =
      sentenceEnd(text, pos + (o.target >> 1), want) ??
      lineEnd(text, pos + (o.target >> 1), want) ??
      lastSpace(text, pos, want) ??
      firstSpace(text, want, pos + o.max) ??
      betweenGraphemes(text, pos, want, pos + o.max, graphemes);
    add(pos, cut);
    pos = cut;
    while (pos < whole.end && isSpace(text.charCodeAt(pos))) pos++;
  }
  add(pos, whole.end);
  return pieces;
}

/** The last place in (from, to] where a sentence has ended: after `.!?…` and closing marks before white space, or after `。！？`. */
function sentenceEnd(text: string, from: number, to: number): number | undefined {
  for (let i = to; i > from; i--) {
    const before = text.charAt(i - 1);
    if ('。！？｡'.includes(before)) {
      // Closing quotes and brackets stay with their sentence.
      if (!'」』）】”’"\')'.includes(text.charAt(i) || ' ')) return i;
    } else if (isSpace(text.charCodeAt(i)) && !isSpace(text.charCodeAt(i - 1))) {
      let mark = i - 1;
      while (mark > from && '"\')]}”’»'.includes(text.charAt(mark))) mark--;
      if ('.!?…'.includes(text.charAt(mark))) return i;
    }
  }
  return undefined;
}

function lineEnd(text: string, from: number, to: number): number | undefined {
  for (let i = to; i > from; i--) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) return i;
  }
  return undefined;
}

function lastSpace(text: string, from: number, to: number): number | undefined {
  for (let i = to; i > from; i--) if (isSpace(text.charCodeAt(i))) return i;
  return undefined;
}

function firstSpace(text: string, from: number, to: number): number | undefined {
  for (let i = from; i <= to; i++) if (isSpace(text.charCodeAt(i))) return i;
  return undefined;
}

/** A cut near `want`, in (from, max], that splits no grapheme cluster where one fits, and never a surrogate pair. */
function betweenGraphemes(
  text: string,
  from: number,
  want: number,
  max: number,
  graphemes: Intl.Segmenter,
): number {
  let cut = want;
  if (splitsPair(text, cut)) cut = cut + 1 <= max ? cut + 1 : cut - 1;
  let base = Math.max(from, cut - GRAPHEME_WINDOW);
  if (base > from && splitsPair(text, base)) base--;
  let best = -1;
  for (const { index } of graphemes.segment(text.slice(base, cut + GRAPHEME_WINDOW))) {
    const boundary = base + index;
    if (boundary > cut) break;
    // The first boundary is the window's own edge, which says nothing.
    if (index > 0) best = boundary;
  }
  return best > from ? best : cut;
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
