import type { QueryTerm } from '../../contracts/index.js';
import { defaults } from '../defaults.js';
import { distance, occurrences } from './occurrences.js';

/** Two terms that follow each other in the question, function words between them left out. */
export interface TermPair {
  /** Their places in the list of terms. */
  first: number;
  second: number;
  /** The idf of the more common of the two. */
  weight: number;
}

/** Pairs of neighbouring terms, in the order of the question. */
export function termPairs(idfs: readonly number[]): TermPair[] {
  return idfs
    .slice(1)
    .map((idf, i) => ({ first: i, second: i + 1, weight: Math.min(idfs[i]!, idf) }))
    .filter(({ weight }) => weight > 0);
}

/**
 * How near to each other a text has the question's neighbouring terms, 0 to 1: the weighted mean over the pairs of
 * 3 / (2 + distance) at their nearest, 0 further than the farthest distance that counts. The order of the two does not
 * matter: `opens the valve` and `the valve opens` say the same.
 */
export function proximity(
  terms: readonly QueryTerm[],
  pairs: readonly TermPair[],
  texts: readonly string[],
): number {
  let sum = 0;
  let most = 0;
  const places = texts.map((text) => terms.map((term) => occurrences(text, term)));
  for (const { first, second, weight } of pairs) {
    most += weight;
    let nearest = Number.POSITIVE_INFINITY;
    texts.forEach((text, i) => {
      nearest = Math.min(nearest, nearestDistance(text, places[i]![first]!, places[i]![second]!));
    });
    if (nearest <= defaults.rerank.maxDistance) sum += (weight * 3) / (2 + nearest);
  }
  return most > 0 ? sum / most : 0;
}

/** The least distance between two terms of a text, as far as it counts. */
function nearestDistance(text: string, first: readonly number[], second: readonly number[]): number {
  const { maxDistance } = defaults.rerank;
  let nearest = Number.POSITIVE_INFINITY;
  // The nearest pair is one of neighbours in the merged list.
  for (let i = 0, j = 0; i < first.length && j < second.length && nearest > 1; ) {
    const [a, b] = [first[i]!, second[j]!];
    const between = distance(text, Math.min(a, b), Math.max(a, b), maxDistance);
    if (between <= maxDistance) nearest = Math.min(nearest, between);
    if (a < b) i++;
    else j++;
  }
  return nearest;
}
