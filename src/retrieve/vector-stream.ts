import type { Degradation, ItemKey, QueryPlan, Stream, VectorIndex } from '../contracts/index.js';

/** A query as a vector: of which space, and its unit vector. */
export interface QueryVector {
  space: number;
  vector: Float32Array;
  /** What was missing all the same. */
  degradation: Omit<Degradation, 'stream'> | null;
}

/** Gives the vector of a plan's query; throws StreamUnavailable when there is none to be had. */
export type QueryVectorSource = (plan: QueryPlan, signal: AbortSignal | undefined) => Promise<QueryVector>;

/** Nearest neighbours of the query's vector. */
export function vectorStream(index: VectorIndex, source: QueryVectorSource): Stream {
  // Listing and scoring belong to one query: it is embedded once.
  const vectors = new WeakMap<QueryPlan, Promise<QueryVector>>();
  const vectorOf = (plan: QueryPlan, signal: AbortSignal | undefined) => {
    let vector = vectors.get(plan);
    if (!vector) {
      vector = source(plan, signal);
      vectors.set(plan, vector);
    }
    return vector;
  };
  return {
    name: 'vector',
    async retrieve(plan, { limit, signal }) {
      const { space, vector, degradation } = await vectorOf(plan, signal);
      const found = index.search(space, vector, plan, limit);
      const least = plan.filter.minCosine;
      const candidates = least === null ? found : found.filter((candidate) => candidate.raw >= least);
      return { stream: 'vector', candidates, ...(degradation ? { degradation } : {}) };
    },
    async score(plan: QueryPlan, items: readonly ItemKey[]) {
      const { space, vector } = await vectorOf(plan, undefined);
      return index.score(space, vector, plan, items);
    },
  };
}
