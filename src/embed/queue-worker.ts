import type { Clock } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import type { EmbeddingJob } from '../store/embedding-queue.js';
import type { Store } from '../store/store.js';
import type { BatchEmbedder } from './batch-embedder.js';

/**
 * Embeds queued chunks in the background, batch after batch, for one space. Between two batches other work runs. A
 * text that fails waits longer each time; everything else goes on.
 */
export class QueueWorker {
  readonly #store: Store;
  readonly #embedder: BatchEmbedder;
  readonly #space: number;
  readonly #lease: string;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #held = false;

  constructor(store: Store, embedder: BatchEmbedder, space: number, lease: string, clock: Clock) {
    this.#store = store;
    this.#embedder = embedder;
    this.#space = space;
    this.#lease = lease;
    this.#clock = clock;
  }

  /** Keeps the worker from taking jobs until it is released. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.wake();
  }

  /** There may be work. Returns at once. */
  wake(): void {
    if (this.#running || this.#held || this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#running = this.#run().finally(() => {
      this.#running = null;
      this.#sleepUntilDue();
    });
  }

  /** Settles when no job is due any more; jobs that failed and wait are left waiting. */
  async idle(signal?: AbortSignal): Promise<void> {
    this.wake();
    while (this.#running && !signal?.aborted) {
      await Promise.race([this.#running, untilAborted(signal)]);
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const size = this.#embedder.maxBatch * defaults.embed.concurrency;
    while (!this.#stop.signal.aborted && !this.#held) {
      // One turn of the event loop first: whoever woke the worker goes on before it takes the write lock.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#stop.signal.aborted) return;
      const jobs = this.#store.embeddings.take(this.#space, this.#lease, this.#clock.now(), size);
      if (jobs.length === 0) return;
      await this.#work(jobs);
    }
  }

  async #work(jobs: readonly EmbeddingJob[]): Promise<void> {
    const inputs = this.#store.embeddingInputs(jobs.map((job) => job.chunk));
    const known = jobs.filter((job) => inputs.has(job.chunk));
    let outcomes: Awaited<ReturnType<BatchEmbedder['embedEach']>>;
    try {
      outcomes = await this.#embedder.embedEach(
        known.map((job) => inputs.get(job.chunk)!),
        { kind: 'document', signal: this.#stop.signal },
      );
    } catch (error) {
      this.#store.embeddings.putBack(this.#space, jobs);
      if (this.#stop.signal.aborted) return;
      throw error;
    }
    const done: { job: EmbeddingJob; vector: Float32Array }[] = [];
    const failed: { job: EmbeddingJob; message: string }[] = [];
    known.forEach((job, i) => {
      const outcome = outcomes[i]!;
      if (outcome.ok) done.push({ job, vector: outcome.vector });
      else failed.push({ job, message: outcome.error.message });
    });
    const now = this.#clock.now();
    this.#store.write(() => {
      const first = done[0];
      if (first) this.#store.spaces.setDimensions(this.#space, first.vector.length);
      this.#store.embeddings.complete(this.#space, done, now);
      for (const { job, message } of failed) {
        this.#store.embeddings.fail(this.#space, job, message, now + retryAfterMs(job.attempts));
      }
    });
    // Jobs of chunks that are gone went with them; what is left of their leases is nothing.
  }

  #sleepUntilDue(): void {
    if (this.#stop.signal.aborted || this.#held) return;
    const due = this.#store.embeddings.nextDue(this.#space);
    if (due === null) return;
    const wait = Math.min(Math.max(due - this.#clock.now(), defaults.embed.minRetryMs), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.wake(), wait);
    this.#timer.unref();
  }
}

/** Doubles from the first wait to the longest. */
function retryAfterMs(attempts: number): number {
  return Math.min(defaults.embed.maxRetryMs, defaults.embed.minRetryMs * 2 ** attempts);
}

const MAX_TIMER_MS = 60_000;

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
