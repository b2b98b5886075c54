import type { QueryTerm } from '../../contracts/index.js';

const SPACE = 32;

/** Offsets at which a term stands in indexed terms (joined by single spaces), ascending. */
export function occurrences(terms: string, { term, prefix }: Pick<QueryTerm, 'term' | 'prefix'>): number[] {
  const found: number[] = [];
  if (term === '') return found;
  for (let at = terms.indexOf(term); at >= 0; at = terms.indexOf(term, at + term.length)) {
    const end = at + term.length;
    const begins = at === 0 || terms.charCodeAt(at - 1) === SPACE;
    const ends = prefix || end === terms.length || terms.charCodeAt(end) === SPACE;
    if (begins && ends) found.push(at);
  }
  return found;
}

/** How many terms further the one at the later offset stands; `most` + 1 when it is further than that. */
export function distance(terms: string, earlier: number, later: number, most: number): number {
  let count = 0;
  for (let at = earlier; at < later; at++) {
    if (terms.charCodeAt(at) === SPACE && ++count > most) break;
  }
  return count;
}
