import type { StreamName } from './search.js';
import type { ItemKey, RankedList } from './stream.js';

/**
 * How ranked lists become one. `rrf` sums weight / (k + rank); `convex` blends scores with weight `alpha`
 * for the vector stream.
 */
export type FusionChoice =
  | 'rrf'
  | 'convex'
  | { name: 'rrf' | 'convex'; k?: number | undefined; alpha?: number | undefined };

export type Weights = Readonly<Record<StreamName, number>>;

/** Scores of candidates per stream, also for those that the stream itself did not list. */
export type ScoreTable = ReadonlyMap<StreamName, ReadonlyMap<ItemKey, number>>;

/** One candidate after fusion. `parts` holds one number a list, in the order of the lists; they add up to `score`. */
export interface FusedEntry {
  key: ItemKey;
  score: number;
  /** The best (smallest) rank in any list. */
  bestRank: number;
  parts: readonly { stream: StreamName; rank: number; raw: number; contribution: number }[];
}

export type FusedList = readonly FusedEntry[];

export interface Fusion {
  name: string;
  /** Numbers that shape the result (such as k), for explanations. */
  parameters: Readonly<Record<string, number>>;
  fuse(lists: readonly RankedList[], o: { weights: Weights; scores: ScoreTable; order: TieOrder }): FusedList;
}

/** Decides between candidates of equal score and equal best rank: negative when `a` comes first. */
export type TieOrder = (a: ItemKey, b: ItemKey) => number;
