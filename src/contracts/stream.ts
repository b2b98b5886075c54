import type { QueryPlan } from './query.js';
import type { Degradation, StreamName } from './search.js';

declare const itemKey: unique symbol;
declare const chunkKey: unique symbol;

/** The store's handle of an item, opaque, of one open store. Outside the store an item is named by workspace and id. */
export type ItemKey = number & { readonly [itemKey]: true };
/** The store's handle of a chunk, opaque, of one open store. */
export type ChunkKey = number & { readonly [chunkKey]: true };

/** One entry of a stream's list: an item, by its best chunk. Higher `raw` is better. */
export interface Candidate {
  item: ItemKey;
  chunk: ChunkKey;
  /** The stream's own score, higher is better, finite. */
  raw: number;
  /** Authored at, epoch milliseconds; breaks ties (newer first). */
  authoredAt: number;
  /** How `raw` came about, where a stream has more than one kind of evidence. */
  evidence?: Evidence;
}

/** `raw` is base × (1 + Σ value), added up in this order. */
export interface Evidence {
  base: number;
  boosts: readonly { name: string; value: number }[];
}

/** What one stream found, best first, every item at most once (every chunk at most once when grouped by chunk). */
export interface RankedList {
  stream: StreamName;
  candidates: readonly Candidate[];
  /** What was missing, although the stream took part. */
  degradation?: Omit<Degradation, 'stream'>;
}

/** One retriever. */
export interface Stream {
  name: StreamName;
  /** At least `limit` candidates when so many match. Never throws for a text; a part that fails says so by throwing a CorvidError. */
  retrieve(
    plan: QueryPlan,
    o: { limit: number; signal?: AbortSignal; seeds?: readonly RankedList[] },
  ): Promise<RankedList>;
  /** The stream's score of given items, also of those it did not list; items it cannot score are left out. */
  score?(plan: QueryPlan, items: readonly ItemKey[]): Promise<ReadonlyMap<ItemKey, number>>;
}
