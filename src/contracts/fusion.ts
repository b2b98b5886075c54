import type { StreamName } from './search.js';
import type { Candidate, ItemKey, RankedList } from './stream.js';

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

/** How one list saw a candidate. */
export interface FusedPart {
  stream: StreamName;
  /** Null when the stream scored the candidate but did not list it. */
  rank: number | null;
  raw: number;
  contribution: number;
}

/** One candidate after fusion. The contributions of `parts`, in the fixed order of streams, add up to `score`. */
export interface FusedEntry {
  /** As the list saw it that ranked it best. */
  candidate: Candidate;
  score: number;
  /** The best (smallest) rank in any list. */
  bestRank: number;
  parts: readonly FusedPart[];
}

export interface FusionContext {
  weights: Weights;
  scores: ScoreTable;
  /** What counts as the same candidate. */
  groupBy: 'item' | 'chunk';
}

/** Joins ranked lists into one, best first; equal scores in the order of best rank. */
export interface Fusion {
  name: string;
  /** Whether it wants the scores of every candidate from every stream that can score. */
  needsScores: boolean;
  /** Numbers that shape the result (such as k), for explanations. */
  parameters: Readonly<Record<string, number>>;
  fuse(lists: readonly RankedList[], o: FusionContext): FusedEntry[];
}
