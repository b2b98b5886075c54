import { setImmediate } from 'node:timers/promises';
import {
  type Degradation,
  defaults,
  type EmbedderSpec,
  type FusionChoice,
  type LongOperation,
  type Memory,
  open,
  type SearchOptions,
  type StreamName,
  type Weights,
} from '../index.js';
import { type Collection, type CollectionQuery, loadCollection } from './collection.js';
import { indexCollection } from './index-collection.js';
import { type Latency, latencyOf } from './latency.js';
import { type Metrics, meanMetrics, measure } from './metrics.js';
import type { PerQuery } from './per-query.js';
import type { Run } from './run-file.js';
import { withTemporaryStore } from './temporary-store.js';

export interface EvaluateOptions extends LongOperation {
  /** Hits asked for a query, 1 to 1000; default 100. Below 100, `recall@100` and `map` see no more than these. */
  limit?: number | undefined;
  /** Default all that are available. */
  streams?: readonly StreamName[] | undefined;
  fusion?: FusionChoice | undefined;
  weights?: Partial<Record<StreamName, number>> | undefined;
  /** Default `off`: documents of a collection have no true dates to prefer. */
  prior?: 'on' | 'off' | undefined;
  /** Makes the vectors of documents and queries; default `none`. */
  embedder?: EmbedderSpec | undefined;
  /** Folder in which the temporary store is made; default the system's. */
  storeDir?: string | undefined;
}

/** What was measured, with every default filled in. */
export interface EvalSettings {
  limit: number;
  /** The streams that took part. */
  streams: StreamName[];
  fusion: FusionChoice;
  weights: Weights;
  prior: 'on' | 'off';
  embedder: string;
}

/** Figures of a group of queries. */
export interface GroupResult {
  queries: number;
  metrics: Metrics;
}

/** Figures of one collection. Only judged queries are asked and counted. */
export interface SetResult extends GroupResult {
  name: string;
  /** By `meta.category` of the queries, in order of name; empty when no query has one. */
  byCategory: Record<string, GroupResult>;
  /** Of `search`, in milliseconds. */
  latencyMs: Latency;
  options: EvalSettings;
  perQuery: PerQuery[];
  run: Run;
  /** Parts that could not take part, with the number of queries that had to do without. */
  degraded: { stream: Degradation['stream']; reason: string; queries: number }[];
}

/**
 * Indexes a collection in a temporary store, asks its judged queries and measures the answers. Time stands still
 * (`defaults.eval.now`), and nothing counts as used.
 *
 * @throws CorvidError `no-such-file` or `bad-collection` for the folder; `unknown-stream` and `invalid-argument` for
 *   options, before anything is indexed; `aborted`.
 */
export async function evaluateCollection(dir: string, o: EvaluateOptions = {}): Promise<SetResult> {
  await checkOptions(o);
  return evaluate(loadCollection(dir), o);
}

/** As {@link evaluateCollection}, for a collection that is loaded and options that were checked. */
export async function evaluate(collection: Collection, o: EvaluateOptions = {}): Promise<SetResult> {
  return withTemporaryStore(o, async (memory) => {
    await indexCollection(memory, collection, {
      signal: o.signal,
      onProgress: o.onProgress && ((progress) => o.onProgress?.({ ...progress, phase: 'index' })),
    });
    // Every document has its vector before the first question, or is known to have none.
    await memory.drain(o.signal ? { signal: o.signal } : {});
    return askQueries(memory, collection, o);
  });
}

/** Searches an empty store, so that a wrong option shows before the work and not after it. */
export async function checkOptions(o: EvaluateOptions): Promise<void> {
  const memory = await open({ path: ':memory:', embedder: o.embedder });
  try {
    await memory.search('check', searchOptions(o));
  } finally {
    await memory.close();
  }
}

async function askQueries(memory: Memory, collection: Collection, o: EvaluateOptions): Promise<SetResult> {
  const mixed = collection.documents.some((document) => document.scope === null);
  const judged = collection.queries.flatMap((query) => {
    const relevant = collection.judgments.get(query.id);
    return relevant ? [{ query, relevant }] : [];
  });
  const run: Run = new Map();
  const perQuery: PerQuery[] = [];
  const categories = new Map<string, Metrics[]>();
  const times: number[] = [];
  const streams = new Set<StreamName>();
  const degraded = new Map<string, SetResult['degraded'][number]>();
  for (const { query, relevant } of judged) {
    const options = { ...searchOptions(o), ...asViewer(query, mixed) };
    const start = performance.now();
    const result = await memory.search(query.text, options);
    times.push(performance.now() - start);
    const ranked = result.hits.map((hit) => hit.id);
    const metrics = measure(relevant, ranked);
    run.set(query.id, ranked);
    perQuery.push({ set: collection.name, query: query.id, metrics });
    if (query.category !== null) {
      const list = categories.get(query.category) ?? [];
      list.push(metrics);
      categories.set(query.category, list);
    }
    for (const name of Object.keys(result.timings.streams)) streams.add(name as StreamName);
    for (const { stream, reason } of result.degraded) {
      const entry = degraded.get(`${stream} ${reason}`) ?? { stream, reason, queries: 0 };
      degraded.set(`${stream} ${reason}`, { ...entry, queries: entry.queries + 1 });
    }
    o.onProgress?.({ phase: 'ask', done: times.length, total: judged.length });
    // SQLite never gives way by itself: without a pause no signal would arrive before the last query.
    await setImmediate();
  }
  return {
    name: collection.name,
    ...group(perQuery.map((entry) => entry.metrics)),
    byCategory: Object.fromEntries(
      [...categories].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, list]) => [name, group(list)]),
    ),
    latencyMs: latencyOf(times),
    options: {
      limit: o.limit ?? defaults.eval.limit,
      streams: [...streams],
      fusion: o.fusion ?? defaults.fusion.name,
      weights: { ...defaults.weights, ...o.weights },
      prior: o.prior ?? 'off',
      embedder: (await memory.status()).embedder,
    },
    perQuery,
    run,
    degraded: [...degraded.values()],
  };
}

function searchOptions(o: EvaluateOptions): SearchOptions {
  return {
    limit: o.limit ?? defaults.eval.limit,
    streams: o.streams,
    fusion: o.fusion,
    weights: o.weights,
    prior: o.prior ?? 'off',
    linked: 0,
    touch: false,
    now: defaults.eval.now,
    signal: o.signal,
  };
}

/**
 * A query of a scope is asked by somebody in that room. Such a viewer also sees what belongs to no room; a query may
 * find documents of its own scope only, so that these are left out where a collection has both.
 */
function asViewer(query: CollectionQuery, mixed: boolean): SearchOptions {
  if (query.scope === null) return {};
  return {
    viewer: { rooms: [query.scope] },
    filter: mixed ? { visibilities: ['room'] } : undefined,
  };
}

function group(list: readonly Metrics[]): GroupResult {
  return { queries: list.length, metrics: meanMetrics(list) };
}
