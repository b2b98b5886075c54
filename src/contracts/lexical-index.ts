import type { QueryPlan, QueryTerm } from './query.js';
import type { Candidate, ChunkKey, ItemKey } from './stream.js';

/** The analyzed terms of one chunk, one string a column, terms joined by single spaces. */
export interface LexicalRow {
  title: string;
  body: string;
  exact: string;
  header: string;
}

/** A candidate of the lexical index, with the conversation it belongs to when it is a message. */
export interface LexicalCandidate extends Candidate {
  /** The store's handle of a conversation: the messages of one scope. */
  conversation: number | null;
}

/** Full-text index over analyzed terms. Scores are BM25 (k1 1.2, b 0.75, length over all columns, idf floored at 1e-6), higher is better. */
export interface LexicalIndex {
  /** Writes the row of a chunk; `isNew` says that the index holds none of it yet. */
  put(chunk: ChunkKey, row: LexicalRow, isNew: boolean): void;
  remove(chunk: ChunkKey): void;
  /** The best `limit` items (or chunks) that hold any of the terms, access and filters applied before the cut. */
  search(terms: readonly QueryTerm[], plan: QueryPlan, limit: number): LexicalCandidate[];
  /** The best items (or chunks) that hold one of the query's identifiers in whole form, or one of its phrases. */
  searchExact(plan: QueryPlan, limit: number): Candidate[];
  /** What the index keeps of chunks, in no order. */
  texts(chunks: readonly ChunkKey[]): Map<ChunkKey, Pick<LexicalRow, 'title' | 'body'>>;
  /** BM25 × factor of given items, by their best chunk; items that hold no term are left out. */
  score(terms: readonly QueryTerm[], plan: QueryPlan, items: readonly ItemKey[]): Map<ItemKey, number>;
  /** In how many chunks each term occurs. */
  documentFrequency(terms: readonly QueryTerm[]): number[];
  /** How many chunks the index holds. */
  size(): number;
}
