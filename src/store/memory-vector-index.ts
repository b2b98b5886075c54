import type { Candidate, ChunkKey, ItemKey, QueryPlan, VectorIndex } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import type { RowSet } from '../core/vector/quantised-matrix.js';
import type { ChangeFeed } from './change-feed.js';
import type { Connection } from './connection.js';
import type { Scopes } from './scopes.js';
import type { Slabs } from './slabs.js';
import { fromBytes } from './vector-bytes.js';
import { VectorRows } from './vector-rows.js';
import { isIn, VisibleRows } from './visible-rows.js';

interface SpaceInMemory {
  rows: VectorRows;
  visible: VisibleRows;
}

/** Rows that one scan of the matrix returns at most. */
const MAX_SCAN = 65_536;

/**
 * Nearest neighbours over int8 vectors in memory; the first of them are compared again with the vectors as they are
 * kept, so that cosines and order at the top are exact.
 */
export class MemoryVectorIndex implements VectorIndex {
  readonly #connection: Connection;
  readonly #scopes: Scopes;
  readonly #feed: ChangeFeed;
  readonly #slabs: Slabs;
  readonly #spaces = new Map<number, SpaceInMemory>();

  constructor(connection: Connection, scopes: Scopes, feed: ChangeFeed, slabs: Slabs) {
    this.#connection = connection;
    this.#scopes = scopes;
    this.#feed = feed;
    this.#slabs = slabs;
  }

  search(space: number, query: Float32Array, plan: QueryPlan, limit: number): Candidate[] {
    return this.#connection.read(() => {
      const { rows, visible } = this.#refreshed(space);
      if (rows.matrix?.dimensions !== query.length) return [];
      const wanted = visible.of(plan);
      // Some more than asked for: passages of one item count once, and the exact order may differ a little.
      for (let take = limit + Math.max(16, limit >> 2); ; take *= 2) {
        const found = this.#nearest(rows, query, take, wanted);
        const all = found.length >= wanted.count || found.length < take;
        const chosen = collapse(this.#exact(space, query, found), plan.groupBy).slice(0, limit);
        // Where the scan ended among equals, which of them belong in is not known yet.
        const cut = found.at(-1)?.raw ?? 0;
        if (all || (chosen.length === limit && chosen.every(({ raw }) => raw > cut))) return chosen;
      }
    });
  }

  score(
    space: number,
    query: Float32Array,
    plan: QueryPlan,
    items: readonly ItemKey[],
  ): Map<ItemKey, number> {
    return this.#connection.read(() => {
      const scores = new Map<ItemKey, number>();
      const { rows, visible } = this.#refreshed(space);
      if (rows.matrix?.dimensions !== query.length) return scores;
      const wanted = visible.of(plan);
      const among = Uint32Array.from(
        items.flatMap((item) => rows.rowsOf(item)).filter((row) => isIn(wanted, row)),
      );
      const cosines = rows.matrix.cosines(query, among);
      const candidates = [...among].map((row, i) => candidate(rows, row, cosines[i]!));
      candidates.sort(byCosine);
      for (const { item, raw } of this.#exact(space, query, candidates)) {
        if (raw > (scores.get(item) ?? Number.NEGATIVE_INFINITY)) scores.set(item, raw);
      }
      return scores;
    });
  }

  /** Forgets the vectors in memory of a space that is gone. */
  drop(space: number): void {
    this.#spaces.delete(space);
  }

  /** How many vectors were read one by one so far, since no slab had them. */
  get readSingly(): number {
    return [...this.#spaces.values()].reduce((sum, { rows }) => sum + rows.readSingly, 0);
  }

  /** What the spaces in memory take. */
  usage(): { space: number; bytes: number; vectors: number; bytesPerVector: number }[] {
    return [...this.#spaces].map(([space, { rows }]) => ({
      space,
      bytes: rows.matrix?.bytes ?? 0,
      vectors: rows.end,
      bytesPerVector: rows.matrix?.bytesPerVector ?? 0,
    }));
  }

  #refreshed(space: number): SpaceInMemory {
    let known = this.#spaces.get(space);
    if (!known) {
      const rows = new VectorRows(this.#connection, this.#feed, this.#slabs, {
        space,
        signsFromBytes: defaults.vectors.signsFromBytes,
      });
      known = { rows, visible: new VisibleRows(this.#connection, this.#scopes, rows) };
      this.#spaces.set(space, known);
    }
    known.rows.refresh();
    return known;
  }

  /** Best first by the quantised vectors. */
  #nearest(rows: VectorRows, query: Float32Array, take: number, wanted: RowSet): Candidate[] {
    const matrix = rows.matrix!;
    if (take <= MAX_SCAN) {
      const nearest = matrix.nearest(query, take, wanted);
      return Array.from(nearest.rows, (row, i) => candidate(rows, row, nearest.cosines[i]!));
    }
    const every = wanted.list ?? Uint32Array.from({ length: rows.end }, (_, row) => row);
    const among = every.filter((row) => isIn(wanted, row));
    const cosines = matrix.cosines(query, among);
    return Array.from(among, (row, i) => candidate(rows, row, cosines[i]!)).sort(byCosine);
  }

  /** The first candidates with their exact cosines, and all of them in order again. */
  #exact(space: number, query: Float32Array, candidates: readonly Candidate[]): Candidate[] {
    const first = candidates.slice(0, defaults.vectors.rescored);
    const vectors = new Map(
      this.#connection.rows<[chunk: number, vector: Buffer]>(
        'SELECT chunk, vector FROM embeddings WHERE space_id = ? AND chunk IN (SELECT value FROM json_each(?))',
        space,
        JSON.stringify(first.map(({ chunk }) => chunk)),
      ),
    );
    const exact = first.map((given) => {
      const bytes = vectors.get(given.chunk);
      return bytes ? { ...given, raw: dot(fromBytes(bytes), query) } : given;
    });
    return [...exact, ...candidates.slice(first.length)].sort(byCosine);
  }
}

function candidate(rows: VectorRows, row: number, raw: number): Candidate {
  return {
    chunk: rows.chunks[row]! as ChunkKey,
    item: rows.items[row]! as ItemKey,
    raw,
    authoredAt: rows.authoredAt[row]!,
  };
}

/** Ties: the newer, then the earlier added. */
function byCosine(a: Candidate, b: Candidate): number {
  return b.raw - a.raw || b.authoredAt - a.authoredAt || a.chunk - b.chunk;
}

/** The best passage of each item, in their order. */
function collapse(candidates: readonly Candidate[], groupBy: 'item' | 'chunk'): Candidate[] {
  if (groupBy === 'chunk') return [...candidates];
  const seen = new Set<number>();
  return candidates.filter(({ item }) => !seen.has(item) && seen.add(item));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < b.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
