import type {
  Degradation,
  FusedEntry,
  Fusion,
  QueryPlan,
  RankedList,
  Stream,
  StreamName,
  Weights,
} from '../contracts/index.js';
import { STREAM_ORDER } from '../core/fusion/gather.js';
import { throwIfAborted } from '../errors.js';
import type { Store } from '../store/store.js';

export interface PipelineInput {
  plan: QueryPlan;
  /** How many fused entries are wanted after the offset. */
  limit: number;
  offset: number;
  /** Candidates that every stream is asked for. */
  candidates: number;
  fusion: Fusion;
  weights: Weights;
  signal?: AbortSignal | undefined;
}

export interface PipelineOutput {
  /** The page, best first. */
  page: FusedEntry[];
  lists: readonly RankedList[];
  degraded: Degradation[];
  timings: Partial<Record<StreamName, number>>;
}

/**
 * Runs the streams and fuses what they found.
 * 1. every stream gives its ranked list, already collapsed and filtered;
 * 2. lists are fused;
 * 3. the page is cut, exact ties put in order of id.
 */
export async function runPipeline(
  store: Store,
  streams: readonly Stream[],
  o: PipelineInput,
): Promise<PipelineOutput> {
  const degraded: Degradation[] = [];
  const timings: Partial<Record<StreamName, number>> = {};
  const lists: RankedList[] = [];
  const wanted = streams
    .filter((stream) => o.plan.streams.includes(stream.name))
    .sort((a, b) => STREAM_ORDER.indexOf(a.name) - STREAM_ORDER.indexOf(b.name));
  for (const stream of wanted) {
    throwIfAborted(o.signal);
    const start = performance.now();
    lists.push(
      await stream.retrieve(o.plan, {
        limit: o.candidates,
        seeds: lists,
        ...(o.signal ? { signal: o.signal } : {}),
      }),
    );
    timings[stream.name] = performance.now() - start;
  }
  if (o.plan.streams.includes('lexical') && o.plan.query.terms.length === 0) {
    degraded.push({
      stream: 'lexical',
      reason: 'no-terms',
      hint: 'The text holds no searchable word; use list to see everything.',
    });
  }
  throwIfAborted(o.signal);
  const fused = o.fusion.fuse(lists, { weights: o.weights, scores: new Map(), groupBy: o.plan.groupBy });
  return {
    page: breakTies(store, fused, o.offset, o.offset + o.limit).slice(o.offset, o.offset + o.limit),
    lists,
    degraded,
    timings,
  };
}

/** Entries that score, best rank and age leave equal are ordered by id; only those that touch the page are looked at. */
function breakTies(store: Store, entries: FusedEntry[], from: number, to: number): FusedEntry[] {
  const equal = (a: FusedEntry | undefined, b: FusedEntry | undefined) =>
    a !== undefined &&
    b !== undefined &&
    a.score === b.score &&
    a.bestRank === b.bestRank &&
    a.candidate.authoredAt === b.candidate.authoredAt;
  for (let start = 0; start < Math.min(to, entries.length); ) {
    let end = start + 1;
    while (equal(entries[start], entries[end])) end++;
    if (end - start > 1 && end > from) {
      const tied = entries
        .slice(start, end)
        .map((entry) => ({ entry, id: store.items.idOf(entry.candidate.item) }))
        .sort((a, b) =>
          a.id < b.id ? -1 : a.id > b.id ? 1 : a.entry.candidate.chunk - b.entry.candidate.chunk,
        );
      entries.splice(start, tied.length, ...tied.map(({ entry }) => entry));
    }
    start = end;
  }
  return entries;
}
