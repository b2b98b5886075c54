import type { Clock } from '../contracts/index.js';
import { throwIfAborted } from '../errors.js';
import type { BatchEmbedder } from './batch-embedder.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { EmbedError } from './embed-error.js';
import { fingerprint } from './fingerprint.js';
import { QueryCache } from './query-cache.js';

/** Vectors of queries, within a deadline: from the cache, else from the embedder unless it is known to be down. */
export class QueryEmbedder {
  readonly #embedder: BatchEmbedder;
  readonly #breaker: CircuitBreaker;
  readonly #cache = new QueryCache();
  readonly #space: string;

  constructor(embedder: BatchEmbedder, clock: Clock) {
    this.#embedder = embedder;
    this.#breaker = new CircuitBreaker(clock);
    this.#space = fingerprint(embedder.space);
  }

  /** The unit vector of a text, of the width of those it is compared with where that is known. Throws an EmbedError, or CorvidError `aborted` when the caller gives up. */
  async vector(
    text: string,
    o: { deadlineMs: number; width: number | null; signal?: AbortSignal | undefined },
  ): Promise<Float32Array> {
    const fits = (vector: Float32Array) => o.width === null || vector.length === o.width;
    const cached = this.#cache.get(this.#space, text);
    // One of another width was made before the model was replaced behind its name.
    if (cached && fits(cached)) return cached;
    throwIfAborted(o.signal);
    const permit = this.#breaker.acquire();
    if (!permit) {
      throw new EmbedError(
        'unavailable',
        `${this.#embedder.id} failed several times and is left alone for a while.`,
        {
          hint: 'It is tried again within half a minute.',
        },
      );
    }
    const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(o.deadlineMs)));
    const signal = o.signal ? AbortSignal.any([o.signal, deadline]) : deadline;
    try {
      const [outcome] = await orAborted(this.#embedder.embedEach([text], { kind: 'query', signal }), signal);
      if (!outcome?.ok)
        throw outcome?.error ?? new EmbedError('bad-response', `${this.#embedder.id} gave no vector.`);
      permit.succeeded();
      this.#cache.set(this.#space, text, outcome.vector);
      return outcome.vector;
    } catch (error) {
      if (o.signal?.aborted) {
        permit.cancelled();
        throwIfAborted(o.signal);
      }
      // A text that the embedder refuses says nothing about its health.
      if (error instanceof EmbedError && error.kind === 'rejected') permit.succeeded();
      else permit.failed();
      if (deadline.aborted) {
        throw new EmbedError(
          'timeout',
          `${this.#embedder.id} did not answer within ${Math.ceil(o.deadlineMs)} ms.`,
          {
            hint: 'Raise deadlineMs, or look after the embedder.',
            cause: error,
          },
        );
      }
      throw error;
    }
  }
}

/** Settles with the signal, also when the work takes no notice of it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = () => reject(signal.reason);
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
