import type {
  Degradation,
  FusedEntry,
  Fusion,
  ItemKey,
  QueryPlan,
  RankedList,
  ScoreTable,
  Stream,
  StreamName,
  Weights,
} from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { type Prior, priorOf } from '../core/prior/prior.js';
import { throwIfAborted } from '../errors.js';
import type { Store } from '../store/store.js';
import { StreamUnavailable } from './stream-unavailable.js';

export interface PipelineInput {
  plan: QueryPlan;
  /** How many fused entries are wanted after the offset. */
  limit: number;
  offset: number;
  /** Candidates that every stream is asked for. */
  candidates: number;
  fusion: Fusion;
  weights: Weights;
  /** Whether age, pins and strength count. */
  prior: boolean;
  signal?: AbortSignal | undefined;
}

export interface PipelineOutput {
  /** The page, best first. */
  page: RankedEntry[];
  lists: readonly RankedList[];
  degraded: Degradation[];
  timings: Partial<Record<StreamName, number>>;
}

/** One entry of the page: after fusion, with its prior and the final score. */
export interface RankedEntry extends FusedEntry {
  prior: Prior;
  final: number;
}

/**
 * Runs the streams and fuses what they found.
 * 1. every stream gives its ranked list, already collapsed and filtered; what cannot take part is noted;
 * 2. a fusion of scores gets the scores of all candidates from each stream that can score;
 * 3. lists are fused;
 * 4. the prior multiplies the fused scores;
 * 5. the page is cut, exact ties put in order of id.
 */
export async function runPipeline(
  store: Store,
  streams: readonly Stream[],
  o: PipelineInput,
): Promise<PipelineOutput> {
  const degraded: Degradation[] = [];
  const timings: Partial<Record<StreamName, number>> = {};
  const wanted = streams.filter((stream) => o.plan.streams.includes(stream.name));
  // Started first, since it waits for an embedder while the others work.
  const started = [...wanted].sort((a, b) => Number(b.name === 'vector') - Number(a.name === 'vector'));
  const lists = (
    await Promise.all(
      started.map(async (stream): Promise<RankedList | null> => {
        throwIfAborted(o.signal);
        const start = performance.now();
        try {
          const list = await stream.retrieve(o.plan, {
            limit: o.candidates,
            ...(o.signal ? { signal: o.signal } : {}),
          });
          if (list.degradation) degraded.push({ stream: stream.name, ...list.degradation });
          return list;
        } catch (error) {
          if (!(error instanceof StreamUnavailable)) throw error;
          if (error.degradation) degraded.push({ stream: stream.name, ...error.degradation });
          return null;
        } finally {
          timings[stream.name] = performance.now() - start;
        }
      }),
    )
  ).filter((list) => list !== null);
  if (o.plan.streams.includes('lexical') && o.plan.query.terms.length === 0) {
    degraded.push({
      stream: 'lexical',
      reason: 'no-terms',
      hint: 'The text holds no searchable word; use list to see everything.',
    });
  }
  throwIfAborted(o.signal);
  const scores = o.fusion.needsScores ? await scoreAll(wanted, lists, o.plan) : new Map();
  const fused = o.fusion.fuse(lists, { weights: o.weights, scores, groupBy: o.plan.groupBy });
  const ranked = o.prior
    ? applyPrior(store, fused, o.plan.now)
    : fused.map((entry) => ({ ...entry, prior: NEUTRAL, final: entry.score }));
  const to = o.offset + o.limit;
  return { page: breakTies(store, ranked, o.offset, to).slice(o.offset, to), lists, degraded, timings };
}

const NEUTRAL: Prior = { factor: 1, parts: [] };

/** Scores of candidates that a stream did not list itself, from every stream that took part and can score. */
async function scoreAll(
  streams: readonly Stream[],
  lists: readonly RankedList[],
  plan: QueryPlan,
): Promise<ScoreTable> {
  const items = new Set(lists.flatMap((list) => list.candidates.map((candidate) => candidate.item)));
  const table = new Map<StreamName, ReadonlyMap<ItemKey, number>>();
  for (const list of lists) {
    const stream = streams.find((candidate) => candidate.name === list.stream);
    const listed = new Set(list.candidates.map((candidate) => candidate.item));
    const missing = [...items].filter((item) => !listed.has(item));
    if (stream?.score && missing.length > 0) table.set(list.stream, await stream.score(plan, missing));
  }
  return table;
}

/**
 * Rank scores lie so close together that a boost of a tenth would pass half a dozen better matches. So boosts grow with
 * the candidate's own score, from nothing at 80 % of a stream's best to all of it at the best.
 */
function closenessOf(fused: readonly FusedEntry[]): (entry: FusedEntry) => number {
  const best = new Map<StreamName, number>();
  for (const { parts } of fused) {
    for (const { stream, raw } of parts) best.set(stream, Math.max(best.get(stream) ?? 0, raw));
  }
  return ({ parts }) => {
    const share = Math.max(
      0,
      ...parts.map(({ stream, raw }) => (best.get(stream)! > 0 ? raw / best.get(stream)! : 0)),
    );
    const { nearShare } = defaults.prior;
    return Math.min(1, Math.max(0, (share - nearShare) / (1 - nearShare)));
  };
}

function applyPrior(store: Store, fused: readonly FusedEntry[], now: number): RankedEntry[] {
  const closeness = closenessOf(fused);
  const standings = store.uses.standings(fused.map((entry) => entry.candidate.chunk));
  return fused
    .map((entry) => {
      const standing = standings.get(entry.candidate.chunk);
      const hasLexicalRank = entry.parts.some((part) => part.stream === 'lexical' && part.rank !== null);
      const prior = standing
        ? priorOf({ ...standing, hasLexicalRank, closeness: closeness(entry) }, now)
        : NEUTRAL;
      return { ...entry, prior, final: entry.score * prior.factor };
    })
    .sort(
      (a, b) =>
        b.final - a.final || a.bestRank - b.bestRank || b.candidate.authoredAt - a.candidate.authoredAt,
    );
}

/** Entries that score, best rank and age leave equal are ordered by id; only those that touch the page are looked at. */
function breakTies(store: Store, entries: RankedEntry[], from: number, to: number): RankedEntry[] {
  const equal = (a: RankedEntry | undefined, b: RankedEntry | undefined) =>
    a !== undefined &&
    b !== undefined &&
    a.final === b.final &&
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
