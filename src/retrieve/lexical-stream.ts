import type { LexicalIndex, Stream } from '../contracts/index.js';
import { calibrate } from '../core/score.js';
import { lexicalEvidence } from './lexical-evidence.js';

/** Keyword search: any of the query's terms, by BM25 and the item's strength. */
export function lexicalStream(index: LexicalIndex): Stream {
  return {
    name: 'lexical',
    async retrieve(plan, { limit }) {
      const candidates = index.search(plan.query.terms, plan, limit);
      const least = plan.filter.minLexical;
      if (least === null) return { stream: 'lexical', candidates };
      const evidence = lexicalEvidence(plan, index);
      return { stream: 'lexical', candidates: candidates.filter((c) => calibrate(evidence(c.raw)) >= least) };
    },
    score: async (plan, items) => index.score(plan.query.terms, plan, items),
  };
}
