import type { ChunkKey } from '../contracts/index.js';
import type { ChangeFeed } from './change-feed.js';
import type { Connection } from './connection.js';
import { toBytes } from './vector-bytes.js';

/** A chunk that waits for its vector. */
export interface EmbeddingJob {
  chunk: ChunkKey;
  /** Hash of the text that was queued; a vector is kept only while the chunk still has it. */
  inputHash: Buffer;
  attempts: number;
}

/** Counts of one space. */
export interface QueueCounts {
  embedded: number;
  pending: number;
  /** Pending jobs whose last attempt failed. */
  failed: number;
  total: number;
}

/**
 * Jobs and vectors. A job is born in the transaction that writes its chunk, is taken under a lease by one worker, and
 * ends in the transaction that writes its vector, so that a process may die at any moment without a job being lost,
 * done twice, or done for a text that has changed.
 */
export class EmbeddingQueue {
  readonly #connection: Connection;
  readonly #feed: ChangeFeed;

  constructor(connection: Connection, feed: ChangeFeed) {
    this.#connection = connection;
    this.#feed = feed;
  }

  /**
   * Queues one chunk for a space. Call inside the write that makes the chunk. A space that another process has replaced
   * in the meantime gets none.
   */
  enqueue(space: number, chunk: number, inputHash: Buffer): void {
    this.#connection.run(
      `INSERT INTO embedding_jobs (space_id, chunk, input_hash, attempts, not_before)
       SELECT space_id, ?, ?, 0, 0 FROM spaces WHERE space_id = ?
       ON CONFLICT (space_id, chunk) DO UPDATE SET input_hash = excluded.input_hash, attempts = 0, not_before = 0,
         error = NULL, lease = NULL`,
      chunk,
      inputHash,
      space,
    );
  }

  /** Queues every chunk that has neither a vector nor a job in the space. Returns how many. */
  backfill(space: number): number {
    return this.#connection.write(
      () =>
        this.#connection.run(
          `INSERT INTO embedding_jobs (space_id, chunk, input_hash, attempts, not_before)
           SELECT s.space_id, c.chunk, c.input_hash, 0, 0 FROM chunks c JOIN spaces s ON s.space_id = ?
           WHERE NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.space_id = ? AND e.chunk = c.chunk)
             AND NOT EXISTS (SELECT 1 FROM embedding_jobs j WHERE j.space_id = ? AND j.chunk = c.chunk)`,
          space,
          space,
          space,
        ).changes,
    );
  }

  /**
   * Gives back jobs that were taken by workers that are no more. `alive` knows, by a lease and when it was last used,
   * whether its worker is at work.
   */
  releaseDead(alive: (lease: string, takenAt: number) => boolean): void {
    const leases = this.#connection.all<{ lease: string; takenAt: number }>(
      `SELECT lease, max(not_before) AS takenAt FROM embedding_jobs WHERE lease IS NOT NULL GROUP BY lease`,
    );
    const dead = leases.filter(({ lease, takenAt }) => !alive(lease, takenAt));
    if (dead.length === 0) return;
    this.#connection.write(() => {
      for (const { lease } of dead)
        this.#connection.run('UPDATE embedding_jobs SET lease = NULL, not_before = 0 WHERE lease = ?', lease);
    });
  }

  /** Takes up to `limit` jobs that are due, oldest chunk first. While they are held `not_before` says since when. */
  take(space: number, lease: string, now: number, limit: number): EmbeddingJob[] {
    const due = 'space_id = ? AND lease IS NULL AND not_before <= ?';
    if (this.#connection.value(`SELECT 1 FROM embedding_jobs WHERE ${due} LIMIT 1`, space, now) === undefined)
      return [];
    return this.#connection.write(() => {
      const jobs = this.#connection.all<EmbeddingJob>(
        `SELECT chunk, input_hash AS inputHash, attempts FROM embedding_jobs WHERE ${due} ORDER BY chunk LIMIT ?`,
        space,
        now,
        limit,
      );
      for (const job of jobs) {
        this.#connection.run(
          'UPDATE embedding_jobs SET lease = ?, not_before = ? WHERE space_id = ? AND chunk = ?',
          lease,
          now,
          space,
          job.chunk,
        );
      }
      return jobs;
    });
  }

  /**
   * Writes vectors (unit length, float32) of jobs whose chunk still has the text that was embedded, and ends the jobs.
   * The first vector of a space sets its width. Returns the jobs whose vectors have another one, with nothing written.
   */
  complete(
    space: number,
    done: readonly { job: EmbeddingJob; vector: Float32Array }[],
    now: number,
  ): EmbeddingJob[] {
    return this.#connection.write(() => {
      const otherWidth: EmbeddingJob[] = [];
      let width = this.#connection.value<number | null>(
        'SELECT dimensions FROM spaces WHERE space_id = ?',
        space,
      );
      if (width === undefined) return [];
      for (const { job, vector } of done) {
        if (width === null) {
          width = vector.length;
          this.#connection.run('UPDATE spaces SET dimensions = ? WHERE space_id = ?', width, space);
        }
        if (vector.length !== width) {
          otherWidth.push(job);
          continue;
        }
        const item = this.#connection.value<number>(
          'SELECT item_key FROM chunks WHERE chunk = ? AND input_hash = ?',
          job.chunk,
          job.inputHash,
        );
        this.#connection.run(
          'DELETE FROM embedding_jobs WHERE space_id = ? AND chunk = ? AND input_hash = ?',
          space,
          job.chunk,
          job.inputHash,
        );
        if (item === undefined) continue;
        this.putVector(space, job.chunk, job.inputHash, vector);
        this.#feed.record(item, 'embed', now);
      }
      return otherWidth;
    });
  }

  putVector(space: number, chunk: number, inputHash: Buffer, vector: Float32Array): void {
    this.#connection.run(
      `INSERT INTO embeddings (space_id, chunk, input_hash, vector) VALUES (?, ?, ?, ?)
       ON CONFLICT (space_id, chunk) DO UPDATE SET input_hash = excluded.input_hash, vector = excluded.vector`,
      space,
      chunk,
      inputHash,
      toBytes(vector),
    );
  }

  /** The chunk has a vector from elsewhere: nothing is left to do for it. */
  cancel(space: number, chunk: number): void {
    this.#connection.run('DELETE FROM embedding_jobs WHERE space_id = ? AND chunk = ?', space, chunk);
  }

  /** Puts a job back, to be tried again at `notBefore`. */
  fail(space: number, job: EmbeddingJob, error: string, notBefore: number): void {
    this.#connection.run(
      `UPDATE embedding_jobs SET attempts = attempts + 1, not_before = ?, error = ?, lease = NULL
       WHERE space_id = ? AND chunk = ? AND input_hash = ?`,
      notBefore,
      error.slice(0, 500),
      space,
      job.chunk,
      job.inputHash,
    );
  }

  /** Puts jobs back as they were: nothing was tried. */
  putBack(space: number, jobs: readonly EmbeddingJob[]): void {
    this.#connection.write(() => {
      for (const job of jobs) {
        this.#connection.run(
          'UPDATE embedding_jobs SET lease = NULL, not_before = 0 WHERE space_id = ? AND chunk = ?',
          space,
          job.chunk,
        );
      }
    });
  }

  /** Makes every failed job due now. */
  retryFailed(space: number): void {
    this.#connection.write(() =>
      this.#connection.run(
        'UPDATE embedding_jobs SET not_before = 0 WHERE space_id = ? AND not_before > 0 AND lease IS NULL',
        space,
      ),
    );
  }

  /** Chunks that have no vector yet, whoever holds their jobs. */
  waiting(space: number): number[] {
    return this.#connection.values<number>('SELECT chunk FROM embedding_jobs WHERE space_id = ?', space);
  }

  /** Any one chunk; null in an empty store. */
  someChunk(): number | null {
    return this.#connection.value<number | null>('SELECT min(chunk) FROM chunks') ?? null;
  }

  /** Whether a space has any vector. */
  hasVectors(space: number): boolean {
    return this.#connection.value('SELECT 1 FROM embeddings WHERE space_id = ? LIMIT 1', space) !== undefined;
  }

  /** Whether any chunk waits, whoever holds its job. */
  hasJobs(space: number): boolean {
    return (
      this.#connection.value('SELECT 1 FROM embedding_jobs WHERE space_id = ? LIMIT 1', space) !== undefined
    );
  }

  /** When the next job is due that nobody holds; null when there is none. */
  nextDue(space: number): number | null {
    return (
      this.#connection.value<number | null>(
        'SELECT min(not_before) FROM embedding_jobs WHERE space_id = ? AND lease IS NULL',
        space,
      ) ?? null
    );
  }

  counts(space: number): QueueCounts {
    return this.#connection.get<QueueCounts>(
      `SELECT (SELECT count(*) FROM embeddings WHERE space_id = ?) AS embedded,
         (SELECT count(*) FROM embedding_jobs WHERE space_id = ?) AS pending,
         (SELECT count(*) FROM embedding_jobs WHERE space_id = ? AND error IS NOT NULL) AS failed,
         (SELECT count(*) FROM chunks) AS total`,
      space,
      space,
      space,
    )!;
  }
}
