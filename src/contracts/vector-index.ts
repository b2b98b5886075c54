import type { QueryPlan } from './query.js';
import type { Candidate, ItemKey } from './stream.js';

/** Nearest neighbours by cosine over the vectors of one space. Exact at the stated k. */
export interface VectorIndex {
  /**
   * The `limit` items (or chunks) nearest to a unit vector, access and filters applied before the cut; ties to the newer,
   * then to the earlier added. `raw` is the cosine.
   */
  search(space: number, query: Float32Array, plan: QueryPlan, limit: number): Candidate[];
  /** Cosine of given items, by their nearest chunk; items without a vector are left out. */
  score(space: number, query: Float32Array, plan: QueryPlan, items: readonly ItemKey[]): Map<ItemKey, number>;
}
