import type { LexicalIndex, QueryPlan } from '../contracts/index.js';
import { idf, lexicalShare } from '../core/score.js';

/** Maps a BM25 value of this query to the share of its possible evidence, 0 to 1. */
export function lexicalEvidence(plan: QueryPlan, lexical: LexicalIndex): (bm25: number) => number {
  // A word and its exact form are one piece of evidence, so exact forms count only where nothing else was asked.
  const words = plan.query.terms.filter((term) => term.field === 'word');
  const terms = words.length > 0 ? words : plan.query.terms;
  const size = lexical.size();
  const idfs = lexical.documentFrequency(terms).map((frequency) => idf(size, frequency));
  return (bm25) => lexicalShare(bm25, idfs);
}
