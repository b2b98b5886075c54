import type { EmbeddingSpace } from './embedder.js';
import type { FusionChoice } from './fusion.js';
import type { ItemKind, TimeInput } from './item.js';
import type { Scope, Viewer, Visibility } from './scope.js';

/** The retrievers, in the fixed order in which contributions are summed. */
export type StreamName = 'lexical' | 'exact' | 'vector' | 'entity' | 'graph';

/** What hidden states to let back in. */
export type Include = 'archived' | 'superseded' | 'expired';

/** Conditions that every hit fulfils; they act inside each stream, before its cut. */
export interface SearchFilter {
  kinds?: readonly ItemKind[] | undefined;
  /** Items that carry all of these tags. */
  tags?: readonly string[] | undefined;
  /** Items of this source, or of any of these. */
  source?: string | readonly string[] | undefined;
  visibilities?: readonly Visibility[] | undefined;
  /** Authored (`occurredAt`, else `createdAt`) at or after this instant. */
  after?: TimeInput | undefined;
  /** Authored before this instant. */
  before?: TimeInput | undefined;
  /** Lexical hits need at least this calibrated lexical score (0 to 1). */
  minLexical?: number | undefined;
  /** Vector hits need at least this cosine (−1 to 1). */
  minCosine?: number | undefined;
}

export interface SearchOptions {
  /** How many hits, 1 to 1000; default 10. */
  limit?: number | undefined;
  /** How many hits to pass over; default 0. */
  offset?: number | undefined;
  viewer?: Viewer | undefined;
  /** Which streams take part; default all that are available. */
  streams?: readonly StreamName[] | undefined;
  fusion?: FusionChoice | undefined;
  /** Weight of a stream in the fusion; default in {@link defaults}. */
  weights?: Partial<Record<StreamName, number>> | undefined;
  /** `off` leaves the order to the fused score alone; default `on`. */
  prior?: 'on' | 'off' | undefined;
  /**
   * `text` (default): nothing in the text is an operator. `advanced`: `AND`, `OR`, `NOT`, `-word`, `begin*`, phrases in
   * quotes, `title:word` and brackets; hits of every stream fulfil them.
   */
  syntax?: 'text' | 'advanced' | undefined;
  /** The text for the embedder when it differs from the keywords. */
  queryText?: string | undefined;
  /** A query vector of the caller's own, with its `space`: no embedder is called. */
  queryVector?: readonly number[] | Float32Array | undefined;
  space?: EmbeddingSpace | undefined;
  filter?: SearchFilter | undefined;
  /** Hidden states to include; default none. */
  include?: readonly Include[] | undefined;
  /** Search what was current at that instant. */
  asOf?: TimeInput | undefined;
  /** `item` (default): a document once, by its best chunk. `chunk`: every chunk for itself. */
  groupBy?: 'item' | 'chunk' | undefined;
  /** How many linked items beside the hits, 0 to 10; default 3. */
  linked?: number | undefined;
  /** Whether returned items count as used (at most once a minute an item); default true, never with `explain`. */
  touch?: boolean | undefined;
  /** Add an {@link Explanation} to every hit; default false. */
  explain?: boolean | undefined;
  /** Streams that must take part: when one cannot, the call fails with `stream-unavailable`. */
  require?: readonly StreamName[] | undefined;
  /** How long asynchronous parts may take, in milliseconds; default 800. */
  deadlineMs?: number | undefined;
  /** The instant of the question; default the clock's now. */
  now?: TimeInput | undefined;
  signal?: AbortSignal | undefined;
}

/** The passage of an item that matched best. Offsets are UTF-16 units of the item's text. */
export interface HitChunk {
  ordinal: number;
  start: number;
  end: number;
  headingPath: string[];
}

/** A short excerpt of plain text. `highlights` are [start, end) offsets into `text`, ascending, not overlapping. */
export interface Snippet {
  text: string;
  highlights: [number, number][];
}

export interface Hit {
  id: string;
  kind: ItemKind;
  title: string | null;
  uri: string | null;
  /** Text of the chunk that matched best (equal to the item's text at [start, end)). */
  text: string;
  chunk: HitChunk;
  snippet: Snippet;
  /** Calibrated to [0, 1], comparable across queries, never rising down the page. */
  score: number;
  createdAt: number;
  occurredAt: number | null;
  scope: Scope;
  explanation?: Explanation;
}

/** An item beside the hits, reached by a link from one of them. */
export interface LinkedItem {
  id: string;
  kind: ItemKind;
  title: string | null;
  uri: string | null;
  text: string;
  createdAt: number;
  occurredAt: number | null;
  scope: Scope;
  via: { from: string; type: string; direction: 'out' | 'in' };
}

/** A part that could not take part, and why. */
export interface Degradation {
  stream: StreamName | 'reranker';
  reason: string;
  /** What to do about it. */
  hint?: string;
  pending?: number;
  done?: number;
  total?: number;
}

/** How one stream saw a hit: its rank (from 1), its own score, and what that added to the fused score. */
export interface StreamExplanation {
  /** Null when the stream scored the hit but did not list it (convex fusion scores every candidate). */
  rank: number | null;
  raw: number;
  contribution: number;
  /** Of the lexical stream: BM25 × factor, and what lifted it: `raw` is base × (1 + Σ value). */
  base?: number;
  boosts?: { name: string; value: number }[];
}

/** Where a hit's place comes from. Contributions add up to `fused` exactly; `fused × prior.factor` is `final` when no reranker took part. */
export interface Explanation {
  streams: Record<StreamName, StreamExplanation | null>;
  fusion: { name: string; [parameter: string]: number | string };
  fused: number;
  prior: { factor: number; parts: { name: string; value: number }[] };
  rerank: { rank: number; score: number } | null;
  final: number;
  matched: { terms: string[]; entities: string[]; path: string[] };
}

export interface SearchResult {
  hits: Hit[];
  linked: LinkedItem[];
  degraded: Degradation[];
  timings: { totalMs: number; streams: Partial<Record<StreamName, number>> };
}
