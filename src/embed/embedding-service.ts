import type {
  ChunkKey,
  Clock,
  Degradation,
  FusionChoice,
  LongOperation,
  ResolvedViewer,
} from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { CorvidError, throwIfAborted } from '../errors.js';
import type { QueueCounts } from '../store/embedding-queue.js';
import type { StoredSpace } from '../store/spaces.js';
import type { Store } from '../store/store.js';
import type { BatchEmbedder, Embedded } from './batch-embedder.js';
import { EmbedError } from './embed-error.js';
import { fingerprint } from './fingerprint.js';
import { FormerEmbedders } from './former-embedders.js';
import { isAlive, newLease } from './lease.js';
import { QueryEmbedder } from './query-embedder.js';
import { QueueWorker } from './queue-worker.js';
import { SearchPriority } from './search-priority.js';

/** The vector of a query, or why there is none. No degradation: there is nothing to compare it with. */
export type QueryAnswer =
  | { ok: true; space: number; vector: Float32Array; degradation: Omit<Degradation, 'stream'> | null }
  | { ok: false; degradation: Omit<Degradation, 'stream'> | null };

/**
 * Joins an embedder to a store: which space it fills, the worker that fills it, and what searches may expect. Vectors
 * of another embedder than the configured one are neither compared nor replaced by themselves.
 */
export class EmbeddingService {
  readonly embedder: BatchEmbedder;
  readonly searches = new SearchPriority();
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #lease = newLease();
  readonly #fingerprint: string;
  #worker: QueueWorker | null = null;
  #space: StoredSpace | null = null;
  #held = false;
  /** Workers of spaces that are gone, on their way to stop. */
  #stopping: Promise<void> = Promise.resolve();
  /** A search found chunks without a vector since the last look for chunks that nobody queued. */
  #mayLack = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  readonly #queries = new Map<BatchEmbedder, QueryEmbedder>();
  readonly #former: FormerEmbedders;

  constructor(
    store: Store,
    embedder: BatchEmbedder,
    clock: Clock,
    former: FormerEmbedders = new FormerEmbedders(),
  ) {
    this.#former = former;
    this.#store = store;
    this.embedder = embedder;
    this.#clock = clock;
    this.#fingerprint = fingerprint(embedder.space);
  }

  /** Finds or makes the space, queues what has no vector yet, and starts the worker. */
  start(): void {
    if (this.#store.readOnly) return;
    this.#releaseDead();
    this.#store.write(() => {
      const active = this.#store.spaces.byState('active');
      if (
        active &&
        (active.fingerprint === this.#fingerprint || this.#store.embeddings.hasVectors(active.id))
      )
        return;
      // An embedder that made no vector, its name mistyped perhaps, leaves nothing to be stale.
      if (active) this.#store.spaces.remove(active.id);
      const mine = this.#store.spaces.byFingerprint(this.#fingerprint);
      if (!mine)
        this.#store.spaces.create(this.embedder.space, this.#fingerprint, 'active', this.#clock.now());
      // Vectors that callers brought are of the same embedder, as are those of a reembed: they are the beginning.
      else this.#store.spaces.setState(mine.id, 'active');
    });
    this.#adopt();
  }

  /** Jobs of workers that are no more are anybody's. */
  #releaseDead(): void {
    const now = this.#clock.now();
    this.#store.embeddings.releaseDead(
      (lease, takenAt) => lease === this.#lease || isAlive(lease, takenAt, now),
    );
  }

  /**
   * Fills the embedder's space if there is one. Vectors of another model may be there: then this one's are built only
   * when reembed says so, here or in another process.
   */
  #adopt(): void {
    const mine = this.#filled();
    if (mine?.id === this.#space?.id) return;
    this.#leave();
    if (mine) this.#serve(mine);
  }

  /** The space that the embedder fills, as the store has it now. */
  #filled(): StoredSpace | null {
    const mine = this.#store.spaces.byFingerprint(this.#fingerprint);
    return mine?.state === 'active' || mine?.state === 'building' ? mine : null;
  }

  /** Another process has replaced the space, or reembed does. */
  #leave(): void {
    const worker = this.#worker;
    if (worker) this.#stopping = this.#stopping.then(() => worker.stop());
    this.#worker = null;
    this.#space = null;
    this.#store.setEmbeddingTargets([]);
  }

  #serve(space: StoredSpace): void {
    this.#space = space;
    this.embedder.expectWidth?.(space.dimensions);
    this.#store.setEmbeddingTargets([space.id]);
    this.#store.embeddings.backfill(space.id);
    this.#worker = new QueueWorker(
      this.#store,
      this.embedder,
      space.id,
      this.#lease,
      this.#clock,
      this.searches,
      () => this.#whenIdle(),
    );
    this.#worker.hold(this.#held);
    this.#worker.wake();
  }

  /** New chunks were written. */
  wake(): void {
    this.#adopt();
    this.#worker?.wake();
  }

  /** For tests and for callers that want to write first and embed later. */
  hold(held: boolean): void {
    this.#held = held;
    this.#worker?.hold(held);
  }

  /** Waits until no job is due. */
  async drain(o: LongOperation = {}): Promise<void> {
    if (!this.#store.readOnly) this.#adopt();
    await this.#worker?.idle(o.signal);
    throwIfAborted(o.signal);
  }

  /** Queues what is missing, tries failed texts again, and waits. */
  async embed(o: LongOperation = {}): Promise<QueueCounts> {
    const space = this.#requireSpace();
    this.#releaseDead();
    this.#store.embeddings.backfill(space.id);
    this.#store.embeddings.retryFailed(space.id);
    const total = this.#store.embeddings.counts(space.id).pending;
    const report = () => {
      const { pending } = this.#store.embeddings.counts(space.id);
      o.onProgress?.({ phase: 'embed', done: Math.max(0, total - pending), total });
    };
    const ticker = setInterval(report, 200);
    ticker.unref();
    try {
      await this.#worker?.idle(o.signal);
    } finally {
      clearInterval(ticker);
    }
    throwIfAborted(o.signal);
    report();
    return this.#store.embeddings.counts(this.#requireSpace().id);
  }

  /**
   * Builds the configured embedder's space beside the one that serves, then switches in one transaction. Does nothing
   * when it serves already. Building goes on by itself when the store is opened again.
   */
  async reembed(o: LongOperation = {}): Promise<QueueCounts> {
    const mine = this.#store.spaces.byFingerprint(this.#fingerprint);
    if (mine) await this.#disownOtherWidth(mine, o.signal);
    const building = this.#store.write(() => {
      const mine = this.#store.spaces.byFingerprint(this.#fingerprint);
      // One model takes the place of the present one: another that was begun and not finished is given up.
      for (const other of this.#store.spaces.all())
        if (other.state === 'building' && other.id !== mine?.id) this.#store.spaces.remove(other.id);
      if (mine?.state === 'active' || mine?.state === 'building') return mine;
      if (mine) {
        this.#store.spaces.setState(mine.id, 'building');
        return { ...mine, state: 'building' as const };
      }
      return this.#store.spaces.create(this.embedder.space, this.#fingerprint, 'building', this.#clock.now());
    });
    if (this.#space?.id !== building.id) this.#adopt();
    return this.embed(o);
  }

  /**
   * A model whose width is not declared may have been replaced behind its name. One text tells; then the vectors in the
   * store are another model's, which go on being kept until new ones are built.
   */
  async #disownOtherWidth(mine: StoredSpace, signal: AbortSignal | undefined): Promise<void> {
    if (!mine.dimensions || !this.embedder.expectWidth || mine.spec.dimensions !== undefined) return;
    const chunk = this.#store.embeddings.someChunk();
    const text =
      chunk === null ? undefined : this.#store.embeddingInputs([chunk as ChunkKey]).get(chunk as ChunkKey);
    if (text === undefined) return;
    this.embedder.expectWidth(null);
    const [outcome] = await this.embedder.embedEach([text], {
      kind: 'document',
      ...(signal ? { signal } : {}),
    });
    if (!isOtherWidth(outcome, mine.dimensions)) {
      this.embedder.expectWidth(mine.dimensions);
      return;
    }
    this.#leave();
    this.embedder.expectWidth(null);
    this.#store.write(() => this.#store.spaces.disown(mine.id));
    // One that was only being built serves nobody.
    if (mine.state === 'building') this.#store.write(() => this.#store.spaces.remove(mine.id));
  }

  /** No job is due any more. True: there are new ones. */
  #whenIdle(): boolean {
    this.#releaseDead();
    return this.#switchWhenBuilt() || this.#backfillWhereMissing();
  }

  /** Chunks that a process without an embedder has written are queued by nobody, until a search misses them. */
  #backfillWhereMissing(): boolean {
    if (!this.#mayLack || !this.#space) return false;
    this.#mayLack = false;
    return this.#store.embeddings.backfill(this.#space.id) > 0;
  }

  /** A search found chunks without a vector: the worker may not know of all of them. */
  #lookForMissing(): void {
    const now = this.#clock.now();
    if (Math.abs(now - this.#lookedAt) < defaults.embed.lookForMissingMs) return;
    this.#lookedAt = now;
    this.#mayLack = true;
    this.#worker?.wake();
  }

  /**
   * Makes the space that was built the one that serves, as soon as every text has its vector; texts that the embedder
   * refuses do not hold it up. Chunks that a process with the former embedder wrote in the meantime come first: true
   * when there are some.
   */
  #switchWhenBuilt(): boolean {
    if (this.#store.spaces.byFingerprint(this.#fingerprint)?.state !== 'building') return false;
    const outcome = this.#store.write(() => {
      // Looked at again under the write lock: another process may have come first.
      const built = this.#store.spaces.byFingerprint(this.#fingerprint);
      if (built?.state !== 'building') return { more: false, replaced: [] };
      if (this.#store.embeddings.backfill(built.id) > 0) return { more: true, replaced: [] };
      if (!this.#worker?.onlyRefusedLeft) return { more: false, replaced: [] };
      const replaced = this.#store.spaces.all().filter((space) => space.state === 'active');
      for (const space of replaced) this.#store.spaces.remove(space.id);
      this.#store.spaces.setState(built.id, 'active');
      return { more: false, replaced };
    });
    for (const space of outcome.replaced) this.#store.vectors.drop(space.id);
    return outcome.more;
  }

  /** The vector of a query for the space that serves, with what has to be said of it. Never throws for the embedder's faults. */
  async queryVector(
    text: string,
    o: { viewer: ResolvedViewer; deadlineMs: number; signal?: AbortSignal | undefined },
  ): Promise<QueryAnswer> {
    const { space, queries, notice } = this.#serving(o.viewer);
    if (!space || !queries) return { ok: false, degradation: notice };
    const { embedded, total } = this.#store.coverage.of(space.id, o.viewer);
    const pending = total - embedded;
    if (pending > 0 && space.id === this.#space?.id) this.#lookForMissing();
    if (embedded === 0) {
      return {
        ok: false,
        degradation:
          total === 0
            ? null
            : (notice ?? { reason: 'no-vectors', pending, hint: 'They are being made; see status.' }),
      };
    }
    try {
      const vector = await queries.vector(text, { ...o, width: space.dimensions });
      return {
        ok: true,
        space: space.id,
        vector,
        degradation: notice ?? (pending > 0 ? { reason: 'partial', pending, total } : null),
      };
    } catch (error) {
      if (!(error instanceof EmbedError)) throw error;
      if (error.otherWidth) {
        return {
          ok: false,
          degradation: { reason: 'stale-vectors', hint: `${error.message} ${error.hint}` },
        };
      }
      return {
        ok: false,
        degradation: {
          reason: error.kind === 'auth' ? 'unavailable' : error.kind,
          hint: error.hint || error.message,
        },
      };
    }
  }

  /** The space that answers searches, what embeds queries for it, and what callers have to know. */
  #serving(viewer: ResolvedViewer): {
    space: StoredSpace | null;
    queries: QueryEmbedder | null;
    notice: Omit<Degradation, 'stream'> | null;
  } {
    const own = this.servingSpace;
    if (own) {
      this.embedder.expectWidth?.(own.dimensions);
      return { space: own, queries: this.#queriesOf(this.embedder), notice: null };
    }
    const active = this.#store.spaces.byState('active');
    if (this.buildingSpace?.fingerprint === this.#fingerprint) {
      const { embedded, total } = this.#store.coverage.of(this.buildingSpace.id, viewer);
      const former = active && this.#former.of(active);
      return {
        space: active,
        queries: former && this.#queriesOf(former),
        notice: {
          reason: 'reembedding',
          done: embedded,
          total,
          hint: former
            ? `Vectors of ${this.embedder.id} are being built; until then those of ${former.id} answer.`
            : `Vectors of ${this.embedder.id} are being built; name the embedder of the present ones as formerEmbedder to search by them until then.`,
        },
      };
    }
    if (!active) {
      return {
        space: null,
        queries: null,
        notice: { reason: 'no-vectors', hint: 'Open the store for writing once, so that vectors are made.' },
      };
    }
    const former = this.#former.namedFor(active);
    return {
      space: active,
      queries: former && this.#queriesOf(former),
      notice: {
        reason: 'stale-vectors',
        hint: `The vectors are of another embedder than ${this.embedder.id}: run reembed, or configure the one they are of.`,
      },
    };
  }

  /** The fusion that suits the embedder whose vectors answer. */
  get fusion(): FusionChoice | undefined {
    const active = this.servingSpace ? null : this.#store.spaces.byState('active');
    return (active && this.#former.of(active)?.fusion) ?? this.embedder.fusion;
  }

  /** Cache and breaker belong to one embedder. */
  #queriesOf(embedder: BatchEmbedder): QueryEmbedder {
    let queries = this.#queries.get(embedder);
    if (!queries) {
      queries = new QueryEmbedder(embedder, this.#clock);
      this.#queries.set(embedder, queries);
    }
    return queries;
  }

  async close(): Promise<void> {
    await this.#worker?.stop();
    await this.#stopping;
  }

  /** The space whose counts are of interest: the one that is filled; null: whichever the store is at. */
  get statusSpace(): number | null {
    return this.#filled()?.id ?? null;
  }

  /** The space of the configured embedder, when it serves searches. */
  get servingSpace(): StoredSpace | null {
    const stored = this.#store.spaces.byFingerprint(this.#fingerprint);
    return stored && stored.state === 'active' ? stored : null;
  }

  get buildingSpace(): StoredSpace | null {
    return this.#store.spaces.byState('building');
  }

  #requireSpace(): StoredSpace {
    this.#adopt();
    if (this.#space) return this.#space;
    throw new CorvidError(
      'stale-vectors',
      `The store's vectors are of another embedder than ${this.embedder.id}.`,
      {
        hint: 'Run reembed to build new ones, or configure the embedder they are of.',
      },
    );
  }
}

/** Whether the answer to one text shows that the model's vectors no longer have the width of those that are stored. */
function isOtherWidth(outcome: Embedded | undefined, stored: number): boolean {
  if (!outcome) return false;
  if (outcome.ok) return outcome.vector.length !== stored;
  return outcome.error instanceof EmbedError && outcome.error.otherWidth;
}
