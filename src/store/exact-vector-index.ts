import type { Candidate, ChunkKey, ItemKey, QueryPlan, VectorIndex } from '../contracts/index.js';
import type { ChangeFeed } from './change-feed.js';
import type { Connection } from './connection.js';
import { buildRowFilter } from './row-filter.js';
import type { Scopes } from './scopes.js';
import { VectorMatrix } from './vector-matrix.js';

type VisibleRow = [chunk: number, item: number, authoredAt: number];

/** Compares the query with every vector that the viewer may see. */
export class ExactVectorIndex implements VectorIndex {
  readonly #connection: Connection;
  readonly #scopes: Scopes;
  readonly #feed: ChangeFeed;
  readonly #matrices = new Map<number, VectorMatrix>();

  constructor(connection: Connection, scopes: Scopes, feed: ChangeFeed) {
    this.#connection = connection;
    this.#scopes = scopes;
    this.#feed = feed;
  }

  search(space: number, query: Float32Array, plan: QueryPlan, limit: number): Candidate[] {
    const found = this.#compare(space, query, plan, null);
    found.sort((a, b) => b.raw - a.raw || b.authoredAt - a.authoredAt || a.chunk - b.chunk);
    if (plan.groupBy === 'chunk') return found.slice(0, limit);
    const seen = new Set<number>();
    const items: Candidate[] = [];
    for (const candidate of found) {
      if (seen.has(candidate.item)) continue;
      seen.add(candidate.item);
      items.push(candidate);
      if (items.length === limit) break;
    }
    return items;
  }

  score(
    space: number,
    query: Float32Array,
    plan: QueryPlan,
    items: readonly ItemKey[],
  ): Map<ItemKey, number> {
    const scores = new Map<ItemKey, number>();
    for (const { item, raw } of this.#compare(space, query, plan, items)) {
      if (raw > (scores.get(item) ?? Number.NEGATIVE_INFINITY)) scores.set(item, raw);
    }
    return scores;
  }

  /** Forgets the vectors in memory of a space that is gone. */
  drop(space: number): void {
    this.#matrices.delete(space);
  }

  #compare(
    space: number,
    query: Float32Array,
    plan: QueryPlan,
    items: readonly ItemKey[] | null,
  ): Candidate[] {
    const filter = buildRowFilter(this.#connection, this.#scopes, plan);
    if (filter.empty || items?.length === 0) return [];
    let matrix = this.#matrices.get(space);
    if (!matrix) {
      matrix = new VectorMatrix(this.#connection, this.#feed, space);
      this.#matrices.set(space, matrix);
    }
    const vectors = matrix;
    return this.#connection.read(() => {
      vectors.refresh();
      if (vectors.size === 0 || vectors.dimensions !== query.length) return [];
      const among = items === null ? '' : 'AND v.item_key IN (SELECT value FROM json_each(?))';
      const visible = this.#connection.rows<VisibleRow>(
        `SELECT v.chunk, v.item_key, v.authored_at FROM visibility v WHERE ${filter.sql} ${among}`,
        ...filter.params,
        ...(items === null ? [] : [JSON.stringify(items)]),
      );
      const found: Candidate[] = [];
      for (const [chunk, item, authoredAt] of visible) {
        const row = vectors.rowOf(chunk);
        if (row === undefined) continue;
        found.push({
          chunk: chunk as ChunkKey,
          item: item as ItemKey,
          raw: vectors.dot(row, query),
          authoredAt,
        });
      }
      return found;
    });
  }
}
