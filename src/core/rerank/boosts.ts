import type { QueryTerm } from '../../contracts/index.js';
import { defaults } from '../defaults.js';
import type { Boost, PoolEntry } from './pool.js';
import { proximity, termPairs } from './proximity.js';
import { titleMentions } from './title-mention.js';
import { titleShare } from './title-share.js';

/** What the evidence is measured against. */
export interface RerankQuery {
  /** The content terms, in the order of the question. */
  terms: readonly QueryTerm[];
  /** The idf of each. */
  idfs: readonly number[];
  /** Every word of the question, function words included. */
  words: readonly string[];
  /** Quoted phrases, each a list of terms. */
  phrases: readonly (readonly string[])[];
}

/**
 * What BM25 does not see of the first candidates: a boost of each score, from nothing upwards. Since no score falls, a
 * candidate of the pool never ends below one that was not looked at.
 */
export function boostsOf(query: RerankQuery, pool: readonly PoolEntry[]): Boost[][] {
  const best = pool[0]?.score ?? 0;
  if (best <= 0) return pool.map(() => []);
  const { weights } = defaults.rerank;
  const pairs = termPairs(query.idfs);
  const words = new Set(query.words);
  const mentions = titleMentions(pool, best);
  return pool.map((entry, i) => {
    const boosts: Boost[] = [
      {
        name: 'proximity',
        value: weights.proximity * proximity(query.terms, pairs, [entry.title, entry.body]),
      },
      { name: 'phrase', value: weights.phrase * phraseShare(entry, query.phrases) },
      { name: 'title', value: weights.title * titleShare(entry.title, words) },
      { name: 'mention', value: weights.mention * mentions[i]! },
      { name: 'conversation', value: weights.conversation * entry.conversation },
    ];
    return boosts.filter(({ value }) => value > 0);
  });
}

/** Which share of the quoted phrases the title or the text holds. */
function phraseShare({ title, body }: PoolEntry, phrases: readonly (readonly string[])[]): number {
  if (phrases.length === 0) return 0;
  const held = phrases.filter((phrase) => {
    const terms = ` ${phrase.join(' ')} `;
    return ` ${body} `.includes(terms) || ` ${title} `.includes(terms);
  });
  return held.length / phrases.length;
}

/** The score with its boosts: base × (1 + Σ value). */
export function boosted(base: number, boosts: readonly Boost[]): number {
  return base * boosts.reduce((sum, { value }) => sum + value, 1);
}
