/** How a run of letters is taken apart. */
export type RunKind = 'word' | 'cjk' | 'segmented';

export interface Run {
  kind: RunKind;
  /** Offsets into the token. */
  start: number;
  end: number;
}

const CJK =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc\\u3005\\uff70\\uff9e\\uff9f';
const SEGMENTED = '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';

/** Scripts written without spaces between words. */
const UNSPACED = new RegExp(`[${CJK}${SEGMENTED}]`, 'u');
const RUNS = new RegExp(`([${CJK}]+\\p{M}*[${CJK}\\p{M}]*)|([${SEGMENTED}]+)|([^${CJK}${SEGMENTED}]+)`, 'gu');

export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

/** Splits letters at the borders of scripts that are written without spaces: `重启pump` is two runs. */
export function splitRuns(text: string): Run[] {
  const runs: Run[] = [];
  for (const match of text.matchAll(RUNS)) {
    const kind = match[1] !== undefined ? 'cjk' : match[2] !== undefined ? 'segmented' : 'word';
    runs.push({ kind, start: match.index, end: match.index + match[0].length });
  }
  return runs;
}
