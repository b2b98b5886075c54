import type { CodePart, CodeScan } from './scan-code.js';
import type { Range } from './whitespace.js';

/**
 * For every passage, in order: the name of the definition that it begins in, else of the first that it holds;
 * and where it goes on within a long one, likewise that of a definition further in.
 */
export function codeHeadings(
  passages: readonly Range[],
  { outer, inner }: Pick<CodeScan, 'outer' | 'inner'>,
): string[][] {
  let o = -1;
  let n = -1;
  return passages.map(({ start, end }) => {
    while ((outer[o + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) o++;
    while ((inner[n + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) n++;
    const around = outer[o];
    if (!around || around.label === '') {
      const first = firstLabel(outer, o + 1, end);
      return first === '' ? [] : [first];
    }
    if (around.start === start) return [around.label];
    const limit = Math.min(end, outer[o + 1]?.start ?? end);
    const within = inner[n];
    const label = within && within.start > around.start ? within.label : firstLabel(inner, n + 1, limit);
    return label === '' ? [around.label] : [around.label, label];
  });
}

function firstLabel(parts: readonly CodePart[], from: number, end: number): string {
  for (let i = from; i < parts.length; i++) {
    const part = parts[i];
    if (!part || part.start >= end) return '';
    if (part.label !== '') return part.label;
  }
  return '';
}
