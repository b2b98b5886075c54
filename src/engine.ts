import type {
  AddManyOptions,
  AddOptions,
  AddResult,
  Analyzer,
  Clock,
  Degradation,
  DoctorOptions,
  DoctorReport,
  EmbeddingSpace,
  EmbedResult,
  FolderWatchOptions,
  ForgetResult,
  Fusion,
  FusionChoice,
  IngestOptions,
  IngestSummary,
  Item,
  ItemOptions,
  ItemPatch,
  ListOptions,
  ListResult,
  LongOperation,
  Memory,
  NewItem,
  OpenOptions,
  RankedList,
  RemoveResult,
  ResolvedViewer,
  ScopeId,
  ScopeInput,
  SearchOptions,
  SearchResult,
  Status,
  Stream,
  StreamName,
  Viewer,
} from './contracts/index.js';
import { createAnalyzer } from './core/analysis/analyzer.js';
import { defaults } from './core/defaults.js';
import { convex } from './core/fusion/convex.js';
import { rrf } from './core/fusion/rrf.js';
import { toItemId } from './core/ids.js';
import { resolveScope, resolveViewer } from './core/scope.js';
import { toTime } from './core/time.js';
import { unitVector } from './core/vector/unit-vector.js';
import type { BatchEmbedder } from './embed/batch-embedder.js';
import { CheckedEmbedder } from './embed/checked-embedder.js';
import { resolveEmbedder } from './embed/embedders/resolve-embedder.js';
import { EmbeddingService } from './embed/embedding-service.js';
import { fingerprint } from './embed/fingerprint.js';
import { FormerEmbedders } from './embed/former-embedders.js';

import { CorvidError, show, throwIfAborted } from './errors.js';
import { syncFolder } from './ingest/sync.js';
import { examine } from './memory/doctor.js';
import { applyPatch, toRecord } from './memory/item-fields.js';
import { Reindexer } from './memory/reindexer.js';
import { SlabKeeper } from './memory/slab-keeper.js';
import { sourceTarget } from './memory/source-target.js';
import { TouchQueue } from './memory/touch-queue.js';
import { readyItem, writeItem } from './memory/write-item.js';
import { buildPlan, resolveFilter } from './retrieve/build-plan.js';
import { exactStream } from './retrieve/exact-stream.js';
import { lexicalEvidence } from './retrieve/lexical-evidence.js';
import { lexicalStream } from './retrieve/lexical-stream.js';
import { makeHits } from './retrieve/make-hits.js';
import { runPipeline } from './retrieve/search-pipeline.js';
import { StreamUnavailable } from './retrieve/stream-unavailable.js';
import { type QueryVector, type QueryVectorSource, vectorStream } from './retrieve/vector-stream.js';
import * as schemas from './schemas/index.js';
import type { FoundItem } from './store/item-reader.js';
import { defaultDatabasePath } from './store/locate.js';
import { Store, wrongWidth } from './store/store.js';

/** A clock that counts in whole milliseconds, as the store keeps them. */
function wholeMilliseconds(clock: Clock): Clock {
  return { now: () => toTime(clock.now(), 'clock.now()') };
}

const systemClock: Clock = { now: () => Date.now() };

/**
 * Opens a store, making the file when it is missing.
 *
 * @param path the database file, or the options with the path among them; `:memory:` for one that is gone at close.
 * @throws CorvidError `no-such-file`, `not-a-file`, `not-a-database`, `foreign-database`, `schema-too-new`,
 *   `corrupt`, `io`, or for wrong options `invalid-argument` and `unknown-option`.
 */
export async function open(path?: string | OpenOptions, o?: OpenOptions): Promise<Memory> {
  const given = typeof path === 'string' ? { ...o, path } : (path ?? o ?? {});
  const options = schemas.validate(schemas.openOptions, given, 'open options') as OpenOptions;
  const clock = wholeMilliseconds(options.clock ?? systemClock);
  const base = { scope: options.scope ?? {}, viewer: options.viewer ?? {} };
  // A bad default would otherwise only show at the first call.
  resolveScope(base.scope);
  resolveViewer(base.viewer);
  const embedders = openEmbedders(options);
  const store = Store.open({
    path: options.path ?? defaultDatabasePath(),
    readOnly: options.readOnly,
    create: options.create ?? true,
    journalMode: options.journalMode ?? 'wal',
    busyTimeoutMs: options.busyTimeoutMs ?? defaults.store.busyTimeoutMs,
    now: clock.now(),
  });
  return new Engine(store, createAnalyzer(), clock, base, embedders);
}

interface Embedders {
  embedder: BatchEmbedder;
  former: FormerEmbedders;
}

/** The configured embedder with those that older vectors may be of; null for `none`. No request is made. */
function openEmbedders({ embedder = 'none', formerEmbedder = 'none' }: OpenOptions): Embedders | null {
  const env = process.env;
  const configured = resolveEmbedder(embedder, { env });
  const named = resolveEmbedder(formerEmbedder, { env });
  if (!configured) {
    if (!named) return null;
    throw new CorvidError('invalid-argument', 'formerEmbedder comes without embedder.', {
      hint: 'Name the embedder to go over to as embedder.',
    });
  }
  return {
    embedder: new CheckedEmbedder(configured),
    former: new FormerEmbedders(named && new CheckedEmbedder(named), (space) => {
      const other = configured.ofSpace?.(space);
      return other ? new CheckedEmbedder(other) : null;
    }),
  };
}

/** Composes store, analyzer and streams into the public API. */
class Engine implements Memory {
  readonly #store: Store;
  readonly #analyzer: Analyzer;
  readonly #clock: Clock;
  readonly #base: { scope: ScopeInput; viewer: Viewer };
  readonly #streams: readonly Stream[];
  readonly #touches: TouchQueue;
  readonly #reindexer: Reindexer;
  readonly #slabKeeper: SlabKeeper;
  readonly #embedding: EmbeddingService | null;

  constructor(
    store: Store,
    analyzer: Analyzer,
    clock: Clock,
    base: { scope: ScopeInput; viewer: Viewer },
    embedders: Embedders | null,
  ) {
    this.#store = store;
    this.#analyzer = analyzer;
    this.#clock = clock;
    this.#base = base;
    this.#embedding = embedders && new EmbeddingService(store, embedders.embedder, clock, embedders.former);
    this.#streams = [lexicalStream(store.lexical, store.conversations), exactStream(store.lexical)];
    this.#touches = new TouchQueue(store, clock);
    this.#reindexer = new Reindexer(store, analyzer, clock);
    this.#reindexer.start();
    this.#slabKeeper = new SlabKeeper(store);
    this.#embedding?.start();
  }

  async add(item: NewItem, o: AddOptions = {}): Promise<AddResult> {
    schemas.validate(schemas.newItem, item, 'item');
    schemas.validate(schemas.addOptions, o, 'add options');
    throwIfAborted(o.signal);
    const [result] = this.#writeBatch([item], o);
    if (o.wait === 'embedded') await this.#embedding?.drain(o.signal ? { signal: o.signal } : {});
    return result!;
  }

  async addMany(
    items: Iterable<NewItem> | AsyncIterable<NewItem>,
    o: AddManyOptions = {},
  ): Promise<AddResult[]> {
    schemas.validate(schemas.addManyOptions, o, 'addMany options');
    this.#requireOpen();
    if (
      typeof items !== 'object' ||
      items === null ||
      !(Symbol.iterator in items || Symbol.asyncIterator in items)
    ) {
      throw new CorvidError('invalid-argument', `items must be an iterable of items, not ${show(items)}.`, {
        hint: 'Pass an array, or use add for one item.',
      });
    }
    const size = o.batchSize ?? defaults.addMany.batchSize;
    const results: AddResult[] = [];
    let batch: NewItem[] = [];
    const flush = async () => {
      throwIfAborted(o.signal);
      results.push(...this.#writeBatch(batch, o));
      batch = [];
      o.onProgress?.({
        phase: 'add',
        done: results.length,
        ...(Array.isArray(items) ? { total: items.length } : {}),
      });
      await pause();
    };
    for await (const item of items) {
      schemas.validate(schemas.newItem, item, `item ${results.length + batch.length}`);
      batch.push(item);
      if (batch.length >= size) await flush();
    }
    if (batch.length > 0) await flush();
    if (o.wait === 'embedded') await this.#embedding?.drain(o.signal ? { signal: o.signal } : {});
    return results;
  }

  async ingest(path: string, o: IngestOptions = {}): Promise<IngestSummary> {
    schemas.validate(schemas.ingestOptions, o, 'ingest options');
    if (typeof path !== 'string' || path === '') {
      throw new CorvidError('invalid-argument', `path must be a folder or a file, not ${show(path)}.`, {
        hint: 'Name the folder to ingest.',
      });
    }
    throwIfAborted(o.signal);
    const summary = await syncFolder(path, (source) => this.#sourceTarget(source, o), {
      ...o,
      avoid: this.#ownFiles(),
    });
    this.#embedding?.wake();
    return summary;
  }

  async watch(path: string, o: FolderWatchOptions): Promise<void> {
    schemas.validate(schemas.watchOptions, o, 'watch options');
    const { signal, debounceMs, maxWaitMs, usePolling, onSync, onError, ...ingest } = o;
    // Loaded when it is needed: most processes never watch.
    const { watchFolder } = await import('./ingest/watch.js');
    await watchFolder(path, () => this.ingest(path, ingest), {
      signal,
      debounceMs,
      maxWaitMs,
      usePolling,
      onSync,
      onError,
      avoid: this.#ownFiles(),
    });
  }

  async search(text: string, o: SearchOptions = {}): Promise<SearchResult> {
    const start = performance.now();
    schemas.validate(schemas.searchOptions, o, 'search options');
    if (typeof text !== 'string') {
      throw new CorvidError(
        'invalid-argument',
        `The text to search for must be a string, not ${show(text)}.`,
        {
          hint: 'Pass the question as text.',
        },
      );
    }
    throwIfAborted(o.signal);
    const run = () => this.#run(text, o, start);
    return this.#embedding ? this.#embedding.searches.during(run) : run();
  }

  async #run(text: string, o: SearchOptions, start: number): Promise<SearchResult> {
    const limit = o.limit ?? defaults.search.limit;
    const offset = o.offset ?? 0;
    const plan = buildPlan(text, o, {
      analyzer: this.#analyzer,
      lexical: this.#store.lexical,
      viewer: this.#viewer(o.viewer),
      streams: this.#chosenStreams(o),
      now: this.#clock.now(),
    });
    const fusion = chooseFusion(o.fusion ?? this.#embedding?.fusion);
    const vectors = vectorStream(this.#store.vectors, this.#queryVectors(o));
    const found = await runPipeline(this.#store, [...this.#streams, vectors], {
      plan,
      limit,
      offset,
      candidates: Math.max(defaults.candidates.minimum, defaults.candidates.factor * (offset + limit)),
      fusion,
      weights: { ...defaults.weights, ...withoutUndefined(o.weights ?? {}) },
      prior: o.prior !== 'off',
      signal: o.signal,
    });
    // Looking at how an answer comes about is no use of it.
    if (o.touch !== false && !o.explain) this.#touches.add(found.page.map((entry) => entry.candidate.item));
    this.#slabKeeper.notice();
    requireStreams(o.require ?? [], found);
    const hits = makeHits(this.#store, this.#analyzer, plan, found.page, {
      fusion,
      evidence: lexicalEvidence(plan, this.#store.lexical),
      explain: o.explain ?? false,
    });
    return {
      hits,
      linked: [],
      degraded: found.degraded,
      timings: { totalMs: performance.now() - start, streams: found.timings },
    };
  }

  async get(id: ScopeId, o: ItemOptions = {}): Promise<Item | null> {
    return this.#find(id, o)?.item ?? null;
  }

  async list(o: ListOptions = {}): Promise<ListResult> {
    schemas.validate(schemas.listOptions, o, 'list options');
    throwIfAborted(o.signal);
    const limit = o.limit ?? defaults.list.limit;
    const found = this.#store.items.list(
      {
        viewer: this.#viewer(o.viewer),
        filter: resolveFilter(o.filter),
        include: o.include ?? [],
        asOf: null,
        now: o.now === undefined ? this.#clock.now() : toTime(o.now, 'now'),
      },
      limit + 1,
      o.cursor === undefined ? null : decodeCursor(o.cursor),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      items: page.map(({ item }) => item),
      cursor: found.length > limit && last ? encodeCursor(last) : null,
    };
  }

  async update(id: ScopeId, patch: ItemPatch, o: ItemOptions = {}): Promise<Item> {
    schemas.validate(schemas.itemPatch, patch, 'patch');
    return this.#change(id, o, (found, now) => {
      const record = applyPatch(found.record, patch);
      const ready = readyItem(record, this.#analyzer);
      this.#store.put(found.key, record, ready.chunks, { analyzerVersion: this.#analyzer.version, now });
      this.#embedding?.wake();
    });
  }

  async archive(id: ScopeId, o: ItemOptions = {}): Promise<Item> {
    return this.#change(id, o, (found, now) => {
      if (found.item.archivedAt === null) this.#store.setArchived(found.key, now, now);
    });
  }

  async restore(id: ScopeId, o: ItemOptions = {}): Promise<Item> {
    return this.#change(id, o, (found, now) => {
      if (found.item.archivedAt !== null) this.#store.setArchived(found.key, null, now);
    });
  }

  async remove(id: ScopeId, o: ItemOptions = {}): Promise<RemoveResult> {
    schemas.validate(schemas.itemOptions, o, 'remove options');
    throwIfAborted(o.signal);
    return this.#store.write(() => {
      const found = this.#find(id, o);
      if (found) this.#store.remove(found.key, this.#clock.now());
      return { id: toItemId(id), removed: found !== null };
    });
  }

  async forget(id: ScopeId, o: ItemOptions = {}): Promise<ForgetResult> {
    const result = await this.remove(id, o);
    if (!result.removed) return { ...result, erased: false };
    this.#store.removeUnusedNames();
    return { ...result, erased: this.#store.truncateLog() };
  }

  async status(o: ItemOptions = {}): Promise<Status> {
    schemas.validate(schemas.itemOptions, o, 'status options');
    throwIfAborted(o.signal);
    return {
      ...this.#store.status(this.#viewer(o.viewer), this.#clock.now(), this.#embedding?.statusSpace ?? null),
      analyzerVersion: this.#analyzer.version,
      embedder: this.#embedding?.embedder.id ?? 'none',
    };
  }

  async embed(o: LongOperation = {}): Promise<EmbedResult> {
    schemas.validate(schemas.drainOptions, o, 'embed options');
    throwIfAborted(o.signal);
    const result = await this.#requireEmbedding().embed(o);
    await this.#slabKeeper.settle(o.signal);
    return result;
  }

  async reembed(o: LongOperation = {}): Promise<EmbedResult> {
    schemas.validate(schemas.drainOptions, o, 'reembed options');
    throwIfAborted(o.signal);
    const result = await this.#requireEmbedding().reembed(o);
    await this.#slabKeeper.settle(o.signal);
    return result;
  }

  async doctor(o: DoctorOptions = {}): Promise<DoctorReport> {
    schemas.validate(schemas.doctorOptions, o, 'doctor options');
    throwIfAborted(o.signal);
    this.#requireOpen();
    const report = await examine(this.#store, this.#analyzer, {
      ...o,
      now: this.#clock.now(),
      embedding: this.#embedding !== null,
    });
    this.#embedding?.wake();
    return report;
  }

  async drain(o: LongOperation = {}): Promise<void> {
    schemas.validate(schemas.drainOptions, o, 'drain options');
    throwIfAborted(o.signal);
    this.#requireOpen();
    this.#touches.flush();
    await this.#reindexer.idle();
    await this.#embedding?.drain(o);
    await this.#slabKeeper.settle(o.signal);
  }

  async close(): Promise<void> {
    await this.#reindexer.stop();
    await this.#slabKeeper.stop();
    await this.#embedding?.close();
    if (this.#store.isOpen) this.#touches.flush();
    this.#store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #viewer(viewer: Viewer | undefined): ResolvedViewer {
    return resolveViewer(viewer, this.#base.viewer);
  }

  #find(id: ScopeId, o: ItemOptions): FoundItem | null {
    schemas.validate(schemas.itemOptions, o, 'options');
    throwIfAborted(o.signal);
    return this.#store.items.find(toItemId(id), this.#viewer(o.viewer), this.#clock.now());
  }

  /** Reads, changes and reads again under one write lock. */
  #change(id: ScopeId, o: ItemOptions, change: (found: FoundItem, now: number) => void): Item {
    return this.#store.write(() => {
      const found = this.#find(id, o);
      if (!found) {
        throw new CorvidError('not-found', `There is no item ${show(toItemId(id))}.`, {
          hint: 'Check the id, and the viewer: workspace, project, user and rooms.',
        });
      }
      change(found, this.#clock.now());
      return this.#find(id, o)!.item;
    });
  }

  #writeBatch(items: readonly NewItem[], o: AddOptions): AddResult[] {
    const now = this.#clock.now();
    const viewer = this.#viewer(o.viewer);
    const ready = items.map((item) => ({
      ...readyItem(toRecord(item, this.#base.scope, now), this.#analyzer),
      vector: callersEmbedding(item),
    }));
    const results = this.#store.write(() =>
      ready.map((item, i) => {
        const result = writeItem(this.#store, item, {
          viewer,
          viewerGiven: o.viewer !== undefined,
          analyzerVersion: this.#analyzer.version,
          now,
          createdAtGiven: items[i]!.createdAt !== undefined,
        });
        if (item.vector) {
          const { space, vector } = item.vector;
          this.#store.putCallerVector(
            item.record.scope.workspace,
            result.id,
            space,
            fingerprint(space),
            vector,
            now,
          );
        }
        return result;
      }),
    );
    this.#embedding?.wake();
    return results;
  }

  #sourceTarget(source: string, o: IngestOptions) {
    return sourceTarget(this.#store, this.#analyzer, {
      source,
      scope: resolveScope(o.scope, this.#base.scope),
      tags: o.tags ?? [],
      now: () => this.#clock.now(),
    });
  }

  #ownFiles(): string[] {
    const path = this.#store.path;
    return path === ':memory:' ? [] : [path, `${path}-wal`, `${path}-shm`, `${path}-journal`];
  }

  #requireOpen(): void {
    if (this.#store.isOpen) return;
    throw new CorvidError('closed', `The store ${this.#store.path} is closed.`, { hint: 'Open it again.' });
  }

  #requireEmbedding(): EmbeddingService {
    this.#requireOpen();
    if (this.#embedding) return this.#embedding;
    throw new CorvidError('invalid-argument', 'The store is open without an embedder.', {
      hint: 'Open it with embedder, such as "ollama" or "openai:text-embedding-3-small".',
    });
  }

  /** The streams asked for, or all that can answer: vectors need an embedder or a vector of the caller's. */
  #chosenStreams(o: SearchOptions): StreamName[] {
    const built: StreamName[] = ['lexical', 'exact', 'vector'];
    for (const name of [...(o.streams ?? []), ...(o.require ?? [])]) {
      if (!built.includes(name)) {
        throw new CorvidError('unknown-stream', `The stream ${show(name)} is not available.`, {
          hint: `Available: ${built.join(', ')}.`,
        });
      }
    }
    if (o.streams) return [...new Set(o.streams)];
    return this.#embedding || o.queryVector ? built : ['lexical'];
  }

  /** Where the vector of a search comes from: the caller, else the embedder. */
  #queryVectors(o: SearchOptions): QueryVectorSource {
    return async (plan, signal) => {
      if (o.queryVector) return this.#callersVector(o.queryVector, o.space, plan.viewer);
      if (!this.#embedding) {
        throw new StreamUnavailable({
          reason: 'no-embedder',
          hint: 'Open the store with an embedder, or pass queryVector and space.',
        });
      }
      const text = o.queryText ?? plan.query.text;
      if (WITHOUT_WORDS.test(text)) {
        throw new StreamUnavailable({
          reason: 'no-terms',
          hint: 'The text holds no word that could mean anything.',
        });
      }
      const answer = await this.#embedding.queryVector(text, {
        viewer: plan.viewer,
        deadlineMs: o.deadlineMs ?? defaults.search.deadlineMs,
        signal,
      });
      if (!answer.ok) throw new StreamUnavailable(answer.degradation);
      return answer;
    };
  }

  #callersVector(
    given: readonly number[] | Float32Array,
    space: EmbeddingSpace | undefined,
    viewer: ResolvedViewer,
  ): QueryVector {
    if (!space) {
      throw new CorvidError('invalid-argument', 'queryVector comes without space.', {
        hint: 'Name the space that it is of: provider, model and dimensions.',
      });
    }
    if (space.dimensions !== undefined && space.dimensions !== given.length) {
      throw wrongWidth('queryVector', given.length, space.dimensions, space);
    }
    const named = this.#store.spaces.named(space);
    // What others keep in a space is no more to be told than that they keep it.
    if (!named || this.#store.coverage.of(named.id, viewer).embedded === 0)
      throw new StreamUnavailable({
        reason: 'no-such-space',
        hint: 'No vector of this space is in the store.',
      });
    if (named.dimensions !== null && named.dimensions !== given.length) {
      throw wrongWidth('queryVector', given.length, named.dimensions, space);
    }
    const vector = unitVector(given);
    if (!vector)
      throw new StreamUnavailable({ reason: 'bad-vector', hint: 'A vector of zeros has no direction.' });
    return { space: named.id, vector, degradation: null };
  }
}

/** A stream that the caller cannot do without, and that could not take part, fails the call. */
function requireStreams(
  required: readonly StreamName[],
  { lists, degraded }: { lists: readonly RankedList[]; degraded: readonly Degradation[] },
): void {
  for (const name of required) {
    const missing = degraded.find((entry) => entry.stream === name);
    const tookPart = lists.some((list) => list.stream === name);
    if (missing && (!tookPart || missing.reason === 'no-terms')) {
      throw new CorvidError(
        'stream-unavailable',
        `The stream ${show(name)} could not take part: ${missing.reason}.`,
        {
          hint: missing.hint ?? 'Leave it out of require to search without it.',
        },
      );
    }
  }
}

/** Blank, or punctuation alone: a model gives it a vector, and everything is about equally near to that. */
const WITHOUT_WORDS = /^[\p{P}\p{Z}\p{C}]*$/u;

function chooseFusion(choice: FusionChoice = defaults.fusion.name): Fusion {
  const { name, k, alpha } =
    typeof choice === 'string' ? { name: choice, k: undefined, alpha: undefined } : choice;
  return name === 'convex' ? convex(alpha) : rrf(k);
}

/** The vector that came with an item, at length 1, and its space. */
function callersEmbedding(item: NewItem): { space: EmbeddingSpace; vector: Float32Array } | null {
  if (item.embedding === undefined) return null;
  if (!item.space) {
    throw new CorvidError('invalid-argument', 'embedding comes without space.', {
      hint: 'Name the space that it is of: provider, model and dimensions.',
    });
  }
  const vector = unitVector(item.embedding);
  if (!vector) {
    throw new CorvidError('invalid-argument', 'embedding holds only zeros, which have no direction.', {
      hint: 'Leave it out when there is no vector.',
    });
  }
  return { space: item.space, vector };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function encodeCursor(last: FoundItem): string {
  return Buffer.from(`${last.item.createdAt}:${last.key}`).toString('base64url');
}

function decodeCursor(cursor: string): { createdAt: number; key: number } {
  const match = /^(-?\d+):(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) {
    throw new CorvidError('invalid-argument', `cursor is not one that list returned: ${show(cursor)}.`, {
      hint: 'Pass the cursor of the page before, or leave it out for the first page.',
    });
  }
  return { createdAt: Number(match[1]), key: Number(match[2]) };
}

/** Lets timers, sockets and other callers run between two batches. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
