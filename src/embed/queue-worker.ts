import type { Clock } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import type { EmbeddingJob } from '../store/embedding-queue.js';
import type { Store } from '../store/store.js';
import type { BatchEmbedder, Embedded } from './batch-embedder.js';
import { EmbedError } from './embed-error.js';
import { SearchPriority } from './search-priority.js';

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
  readonly #onIdle: () => boolean;
  readonly #searches: SearchPriority;
  /** Chunks whose text the embedder refuses, as far as this worker has tried. */
  readonly #refused = new Set<number>();
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #held = false;
  /** The last run ended by an error of the store, which may have kept it from giving its jobs back. */
  #failed = false;
  /** Batches in a row of which nothing came because the embedder is down, and until when it is left alone for that. */
  #downInARow = 0;
  #restUntil = 0;

  /** `onIdle` is called when no job is due any more, before whoever waits for that goes on; true: there are new ones. */
  constructor(
    store: Store,
    embedder: BatchEmbedder,
    space: number,
    lease: string,
    clock: Clock,
    searches: SearchPriority = new SearchPriority(),
    onIdle: () => boolean = () => false,
  ) {
    this.#store = store;
    this.#embedder = embedder;
    this.#space = space;
    this.#lease = lease;
    this.#clock = clock;
    this.#onIdle = onIdle;
    this.#searches = searches;
  }

  /** Whether all that is left in the queue are texts that the embedder refuses. */
  get onlyRefusedLeft(): boolean {
    return this.#store.embeddings.waiting(this.#space).every((chunk) => this.#refused.has(chunk));
  }

  /** Keeps the worker from taking jobs until it is released. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.wake();
  }

  /** There may be work. Returns at once. */
  wake(): void {
    if (this.#clock.now() < this.#restUntil) this.#sleepUntilDue();
    else this.#start();
  }

  #start(): void {
    if (this.#running || this.#held || this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    const running = this.#run().then(
      () => {
        this.#running = null;
        this.#sleepUntilDue();
      },
      (error: unknown) => {
        this.#running = null;
        this.#failed = true;
        this.#sleep(defaults.embed.minRetryMs);
        throw error;
      },
    );
    // A file that is locked for longer than a write waits, or full, is no fault of whoever runs this process. Callers
    // that wait for the worker are told; the jobs are still there, and are tried again in a while.
    running.catch(() => {});
    this.#running = running;
  }

  /** Settles when no job is due any more, or the embedder is down; jobs that failed and wait are left waiting. */
  async idle(signal?: AbortSignal): Promise<void> {
    this.#start();
    while (this.#running && !signal?.aborted) {
      await Promise.race([this.#running, untilAborted(signal)]);
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    // What went wrong at the last is of no consequence: the jobs are in the file.
    await this.#running?.catch(() => {});
  }

  async #run(): Promise<void> {
    if (this.#failed) {
      this.#store.embeddings.releaseDead((lease) => lease !== this.#lease);
      this.#failed = false;
    }
    const size = this.#embedder.maxBatch * defaults.embed.concurrency;
    while (!this.#stop.signal.aborted && !this.#held) {
      // One turn of the event loop first: whoever woke the worker goes on before it takes the write lock.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#searches.pause(defaults.embed.searchFirstMs);
      if (this.#stop.signal.aborted) return;
      const jobs = this.#store.embeddings.take(this.#space, this.#lease, this.#clock.now(), size);
      if (jobs.length === 0) {
        if (this.#onIdle()) continue;
        return;
      }
      if (!(await this.#work(jobs))) return;
    }
  }

  /** False: the embedder is down, and more batches would fare no better. */
  async #work(jobs: readonly EmbeddingJob[]): Promise<boolean> {
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
      if (this.#stop.signal.aborted) return false;
      throw error;
    }
    await this.#searches.pause(defaults.embed.searchFirstMs);
    const done: { job: EmbeddingJob; vector: Float32Array }[] = [];
    const failed: { job: EmbeddingJob; message: string }[] = [];
    const answers = outcomes.some((outcome) => outcome.ok);
    known.forEach((job, i) => {
      const outcome = outcomes[i]!;
      if (outcome.ok) {
        done.push({ job, vector: outcome.vector });
        return;
      }
      failed.push({ job, message: outcome.error.message });
      // Where other texts were answered at the same time, what is wrong is this one.
      if (outcome.error instanceof EmbedError && isOfText(outcome.error, answers))
        this.#refused.add(job.chunk);
    });
    const now = this.#clock.now();
    this.#store.write(() => {
      for (const job of this.#store.embeddings.complete(this.#space, done, now)) {
        failed.push({ job, message: 'The vector has another width than those in the store: run reembed.' });
      }
      for (const { job, message } of failed) {
        this.#store.embeddings.fail(this.#space, job, message, now + retryAfterMs(job.attempts));
      }
    });
    // Jobs of chunks that are gone went with them; what is left of their leases is nothing.
    const down = outcomes.length > 0 && outcomes.every(isDown);
    this.#downInARow = down ? this.#downInARow + 1 : 0;
    this.#restUntil = down ? now + Math.min(retryAfterMs(this.#downInARow - 1), MAX_TIMER_MS) : 0;
    return !down;
  }

  #sleepUntilDue(): void {
    if (this.#stop.signal.aborted || this.#held) return;
    const due = this.#store.embeddings.nextDue(this.#space);
    // What is left may be held by a process that ends without giving it back.
    if (due === null && !this.#store.embeddings.hasJobs(this.#space)) return;
    const next = Math.max(due ?? Number.POSITIVE_INFINITY, this.#restUntil) - this.#clock.now();
    this.#sleep(Math.min(Math.max(next, defaults.embed.minRetryMs), MAX_TIMER_MS));
  }

  #sleep(ms: number): void {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), ms);
    this.#timer.unref();
  }
}

/** Not because of a text: another one would fare no better. */
function isDown(outcome: Embedded): boolean {
  return !outcome.ok && outcome.error instanceof EmbedError && !outcome.error.divisible;
}

function isOfText(error: EmbedError, othersAnswered: boolean): boolean {
  return error.kind === 'rejected' || (error.divisible && othersAnswered);
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
