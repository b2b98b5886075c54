import type { LexicalIndex, Stream } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { calibrate } from '../core/score.js';
import type { Conversations } from '../store/conversations.js';
import { lexicalEvidence } from './lexical-evidence.js';
import { rerankCandidates } from './rerank-candidates.js';

/** Keyword search: any of the query's terms, by BM25 and the item's strength, the first of them by further evidence. */
export function lexicalStream(index: LexicalIndex, conversations: Conversations): Stream {
  return {
    name: 'lexical',
    async retrieve(plan, { limit }) {
      const found = index.search(plan.query.terms, plan, Math.max(limit, defaults.rerank.messages));
      const candidates = rerankCandidates(found, plan, index, conversations).slice(0, limit);
      const least = plan.filter.minLexical;
      if (least === null) return { stream: 'lexical', candidates };
      const evidence = lexicalEvidence(plan, index);
      return { stream: 'lexical', candidates: candidates.filter((c) => calibrate(evidence(c.raw)) >= least) };
    },
    score: async (plan, items) => index.score(plan.query.terms, plan, items),
  };
}
