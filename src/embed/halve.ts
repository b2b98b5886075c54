/** A half shorter than this says too little to stand for a text. */
const MIN_HALF = 16;

/**
 * The two halves of a text, parted where a reader would part it: at the empty line, else the line end, else the end of
 * a sentence, else the white space that is nearest to the middle, as long as neither side is less than a quarter; else
 * in the middle, never within a surrogate pair. Null for a text that is too short for that.
 */
export function halve(text: string): [string, string] | null {
  const whole = text.trim();
  if (whole.length < 2 * MIN_HALF) return null;
  const cut = borderNear(whole) ?? middle(whole);
  const first = whole.slice(0, cut).trim();
  const second = whole.slice(cut).trim();
  return first === '' || second === '' ? null : [first, second];
}

const BORDERS = [/\n[^\S\n]*\n/g, /\n/g, /[.!?…]\s|[。！？]/g, /\s/g] as const;

/** The end of the border nearest to the middle, of the first kind that there is. */
function borderNear(text: string): number | null {
  const half = text.length / 2;
  const from = Math.floor(half / 2);
  const around = text.slice(from, Math.ceil(half + half / 2));
  for (const border of BORDERS) {
    let best: number | null = null;
    for (const match of around.matchAll(border)) {
      const cut = from + match.index + match[0].length;
      if (best === null || Math.abs(cut - half) < Math.abs(best - half)) best = cut;
    }
    if (best !== null) return best;
  }
  return null;
}

function middle(text: string): number {
  const cut = text.length >> 1;
  const code = text.charCodeAt(cut);
  return code >= 0xdc00 && code <= 0xdfff ? cut + 1 : cut;
}
