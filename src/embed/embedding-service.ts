import type { Clock, Degradation, LongOperation, ResolvedViewer } from '../contracts/index.js';
import { CorvidError } from '../errors.js';
import type { QueueCounts } from '../store/embedding-queue.js';
import type { StoredSpace } from '../store/spaces.js';
import type { Store } from '../store/store.js';
import type { BatchEmbedder } from './batch-embedder.js';
import { EmbedError } from './embed-error.js';
import { fingerprint } from './fingerprint.js';
import { isAlive, newLease } from './lease.js';
import { QueryEmbedder } from './query-embedder.js';
import { QueueWorker } from './queue-worker.js';

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
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #lease = newLease();
  readonly #fingerprint: string;
  #worker: QueueWorker | null = null;
  #space: StoredSpace | null = null;

  readonly #queries: QueryEmbedder;

  constructor(store: Store, embedder: BatchEmbedder, clock: Clock) {
    this.#queries = new QueryEmbedder(embedder, clock);
    this.#store = store;
    this.embedder = embedder;
    this.#clock = clock;
    this.#fingerprint = fingerprint(embedder.space);
  }

  /** Finds or makes the space, queues what has no vector yet, and starts the worker. */
  start(): void {
    if (this.#store.readOnly) {
      this.#space = this.#store.spaces.byFingerprint(this.#fingerprint);
      return;
    }
    this.#store.write(() => {
      const mine = this.#store.spaces.byFingerprint(this.#fingerprint);
      const active = this.#store.spaces.byState('active');
      // Vectors of another model are there: this one's are built only when reembed says so.
      this.#space =
        mine && mine.state !== 'retired'
          ? mine
          : active
            ? null
            : this.#store.spaces.create(this.embedder.space, this.#fingerprint, 'active', this.#clock.now());
    });
    this.#store.embeddings.releaseDead((lease) => isAlive(lease, new Set([this.#lease])));
    if (this.#space) this.#serve(this.#space);
  }

  #serve(space: StoredSpace): void {
    this.#store.setEmbeddingTargets([space.id]);
    this.#store.embeddings.backfill(space.id);
    this.#worker = new QueueWorker(this.#store, this.embedder, space.id, this.#lease, this.#clock);
    this.#worker.wake();
  }

  /** New chunks were written. */
  wake(): void {
    this.#worker?.wake();
  }

  /** For tests and for callers that want to write first and embed later. */
  hold(held: boolean): void {
    this.#worker?.hold(held);
  }

  /** Waits until no job is due. */
  async drain(o: LongOperation = {}): Promise<void> {
    await this.#worker?.idle(o.signal);
  }

  /** Queues what is missing, tries failed texts again, and waits. */
  async embed(o: LongOperation = {}): Promise<QueueCounts> {
    const space = this.#requireSpace();
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
    report();
    return this.#store.embeddings.counts(space.id);
  }

  /**
   * Builds the configured embedder's space beside the one that serves, then switches in one transaction. Does nothing
   * when it serves already.
   */
  async reembed(o: LongOperation = {}): Promise<QueueCounts> {
    const serving = this.#store.spaces.byState('active');
    if (serving?.fingerprint === this.#fingerprint) return this.embed(o);
    const building = this.#store.write(() => {
      const mine = this.#store.spaces.byFingerprint(this.#fingerprint);
      if (mine) {
        this.#store.spaces.setState(mine.id, 'building');
        return { ...mine, state: 'building' as const };
      }
      return this.#store.spaces.create(this.embedder.space, this.#fingerprint, 'building', this.#clock.now());
    });
    this.#space = building;
    this.#serve(building);
    const counts = await this.embed(o);
    if (counts.pending > 0 || o.signal?.aborted) return counts;
    this.#store.write(() => {
      if (serving) this.#store.spaces.remove(serving.id);
      this.#store.spaces.setState(building.id, 'active');
    });
    if (serving) this.#store.vectors.drop(serving.id);
    this.#space = this.#store.spaces.byFingerprint(this.#fingerprint);
    return counts;
  }

  /** The vector of a query for the space that serves, with what has to be said of it. Never throws for the embedder's faults. */
  async queryVector(
    text: string,
    o: { viewer: ResolvedViewer; deadlineMs: number; signal?: AbortSignal | undefined },
  ): Promise<QueryAnswer> {
    const space = this.servingSpace;
    if (!space) return { ok: false, degradation: this.#whyNotServing() };
    const { embedded, total } = this.#store.coverage.of(space.id, o.viewer);
    const pending = total - embedded;
    if (embedded === 0) {
      return {
        ok: false,
        degradation:
          total === 0 ? null : { reason: 'no-vectors', pending, hint: 'They are being made; see status.' },
      };
    }
    try {
      const vector = await this.#queries.vector(text, o);
      return {
        ok: true,
        space: space.id,
        vector,
        degradation: pending > 0 ? { reason: 'partial', pending, total } : null,
      };
    } catch (error) {
      if (!(error instanceof EmbedError)) throw error;
      return {
        ok: false,
        degradation: {
          reason: error.kind === 'auth' ? 'unavailable' : error.kind,
          hint: error.hint || error.message,
        },
      };
    }
  }

  #whyNotServing(): Omit<Degradation, 'stream'> {
    const building = this.buildingSpace;
    if (building?.fingerprint === this.#fingerprint) {
      const { embedded, total } = this.#store.embeddings.counts(building.id);
      return {
        reason: 'reembedding',
        done: embedded,
        total,
        hint: 'Vectors of the new model are being built; reembed goes on with it.',
      };
    }
    if (this.#store.spaces.byState('active')) {
      return {
        reason: 'stale-vectors',
        hint: `The vectors are of another embedder than ${this.embedder.id}: run reembed, or configure the one they are of.`,
      };
    }
    return { reason: 'no-vectors', hint: 'Open the store for writing once, so that vectors are made.' };
  }

  async close(): Promise<void> {
    await this.#worker?.stop();
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
