import type { Fusion } from '../../contracts/index.js';
import { defaults } from '../defaults.js';
import { gather, rankEntries } from './gather.js';

/**
 * Reciprocal Rank Fusion (Cormack, Clarke, Büttcher 2009): Σ weight / (k + rank) over the lists that hold a
 * candidate; a list that does not hold it adds nothing.
 */
export function rrf(k: number = defaults.fusion.k): Fusion {
  return {
    name: 'rrf',
    needsScores: false,
    parameters: { k },
    fuse(lists, { weights, groupBy }) {
      return rankEntries(
        gather(lists, groupBy).map((gathered) => ({
          gathered,
          parts: [...gathered.places].map(([stream, { rank, raw }]) => ({
            stream,
            rank,
            raw,
            contribution: weights[stream] / (k + rank),
          })),
        })),
      );
    },
  };
}
