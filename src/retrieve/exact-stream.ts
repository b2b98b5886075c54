import type { LexicalIndex, Stream } from '../contracts/index.js';

/**
 * Items that hold, as a whole, what the query names: identifiers, versions, codes, quoted phrases. A list of its own,
 * so that what one stream knows for certain is not buried under items that are mediocre in two.
 */
export function exactStream(index: LexicalIndex): Stream {
  return {
    name: 'exact',
    retrieve: async (plan, { limit }) => ({ stream: 'exact', candidates: index.searchExact(plan, limit) }),
  };
}
