import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import pRetry from 'p-retry';
import type { Embedder, EmbeddingSpace, FusionChoice } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { CorvidError, show, throwIfAborted } from '../errors.js';
import type { BatchEmbedder, Embedded } from './batch-embedder.js';
import { EmbedError } from './embed-error.js';
import { embedInParts, isTooLong } from './embed-in-parts.js';
import { asEmbedError } from './thrown-error.js';
import { toUnit, toVector } from './to-vector.js';
import { withTimeout } from './with-timeout.js';

export interface CheckedEmbedderOptions {
  /** Requests for documents that are under way at the same time; default 2. Queries never wait for them. */
  concurrency?: number | undefined;
  /** How often a request for documents is tried again; default 3. A query is tried again once, and at once. */
  retries?: number | undefined;
  /** First wait before another try, doubling; default 500 ms. */
  retryBaseMs?: number | undefined;
  /** Most of what a server's `Retry-After` is waited for; default 60,000 ms. */
  maxRetryAfterMs?: number | undefined;
  /** Most milliseconds a request may take; default the embedder's, else 60,000. */
  timeoutMs?: number | undefined;
  /** Width of vectors that are stored already, for a model whose width is not declared. */
  dimensions?: number | undefined;
}

interface Call {
  kind: 'query' | 'document';
  signal?: AbortSignal;
}

/**
 * Stands between an embedder and everything that stores or compares vectors. Texts go out in batches; a vector comes
 * back only when the answer holds exactly one for each text, all of the right width, finite and not zero; then it is
 * cut to the width of the space and brought to length 1. What may pass is tried again, and a batch that one text may
 * have spoilt is divided, so that only that text fails. A text that the model's window does not hold gets the mean of
 * its parts' vectors.
 */
export class CheckedEmbedder implements BatchEmbedder {
  readonly id: string;
  readonly space: EmbeddingSpace;
  readonly maxBatch: number;
  readonly fusion: FusionChoice | undefined;
  readonly #embedder: Embedder;
  readonly #limit: LimitFunction;
  readonly #retries: number;
  readonly #retryBaseMs: number;
  readonly #maxRetryAfterMs: number;
  readonly #timeoutMs: number;
  /** Of vectors as they are given out. */
  #dimensions: number | null;
  /** Of vectors as the embedder gives them, once one was accepted. */
  #width: number | null = null;
  /** The width expected because such vectors are stored. */
  #stored: number | null = null;

  constructor(embedder: Embedder & { timeoutMs?: number | undefined }, o: CheckedEmbedderOptions = {}) {
    this.#embedder = embedder;
    this.id = embedder.id;
    this.space = embedder.space;
    this.fusion = embedder.fusion;
    this.maxBatch = atLeastOne(embedder.maxBatch ?? defaults.embed.maxBatch, 'maxBatch');
    this.#limit = pLimit(atLeastOne(o.concurrency ?? defaults.embed.concurrency, 'concurrency'));
    this.#retries = o.retries ?? defaults.embed.retries;
    this.#retryBaseMs = o.retryBaseMs ?? defaults.embed.retryBaseMs;
    this.#maxRetryAfterMs = o.maxRetryAfterMs ?? defaults.embed.maxRetryAfterMs;
    this.#timeoutMs = atLeastOne(
      o.timeoutMs ?? embedder.timeoutMs ?? defaults.embed.requestTimeoutMs,
      'timeoutMs',
    );
    this.#dimensions = embedder.space.dimensions ?? o.dimensions ?? null;
  }

  expectWidth(width: number | null): void {
    if (this.space.dimensions !== undefined || width === this.#dimensions) return;
    this.#dimensions = width;
    this.#width = null;
    this.#stored = width;
  }

  /** Width of the vectors given out; null until the first, for a model whose width is not declared. */
  get dimensions(): number | null {
    return this.#dimensions;
  }

  /**
   * One outcome a text, in the order given: its unit vector, or the EmbedError that says why there is none. Rejects
   * only with `aborted`, when the signal ends the call.
   */
  async embedEach(texts: readonly string[], o: Call): Promise<Embedded[]> {
    throwIfAborted(o.signal);
    const outcomes = new Array<Embedded>(texts.length);
    const asked: number[] = [];
    texts.forEach((text, i) => {
      if (text.trim() !== '') asked.push(i);
      else {
        outcomes[i] = {
          ok: false,
          error: new EmbedError('rejected', 'An empty text has no vector.'),
        };
      }
    });
    /** Set when no text of the call can succeed any more. */
    let down: EmbedError | null = null;
    const one = async (places: readonly number[]) => {
      throwIfAborted(o.signal);
      const results = down
        ? places.map(() => failure(down!))
        : await this.#batch(
            places.map((place) => texts[place]!),
            o,
          );
      for (const [i, place] of places.entries()) {
        const whole = results[i]!;
        const result = isTooLong(whole) ? await this.#inParts(texts[place]!, whole.error, o) : whole;
        outcomes[place] = result;
        if (!result.ok && result.error instanceof EmbedError && !result.error.divisible) down = result.error;
      }
    };
    const batches = inBatches(asked, this.maxBatch);
    await Promise.all(
      batches.map((places) => (o.kind === 'query' ? one(places) : this.#limit(() => one(places)))),
    );
    return outcomes;
  }

  /** A text that is too long for the model, by its parts. */
  #inParts(text: string, refusal: EmbedError, o: Call): Promise<Embedded> {
    return embedInParts(text, refusal, async (halves) => {
      const outcomes: Embedded[] = [];
      for (const batch of inBatches(halves, this.maxBatch)) outcomes.push(...(await this.#batch(batch, o)));
      return outcomes;
    });
  }

  /**
   * Asks for a batch, and for its halves when it fails in a way that one text may be the cause of. Breadth first: good
   * texts are found early, and a server that gives nothing but faults is left alone after a few requests.
   */
  async #batch(texts: readonly string[], o: Call): Promise<Embedded[]> {
    const outcomes = new Array<Embedded>(texts.length);
    const ranges = [{ start: 0, end: texts.length }];
    let failures = 0;
    let succeeded = false;
    let last: EmbedError | null = null;
    for (const { start, end } of ranges) {
      if (last) {
        outcomes.fill(failure(last), start, end);
        continue;
      }
      try {
        const whole = end - start === texts.length;
        const vectors = await this.#request(texts.slice(start, end), o, whole);
        vectors.forEach((vector, i) => {
          outcomes[start + i] = { ok: true, vector };
        });
        succeeded = true;
      } catch (thrown) {
        if (!(thrown instanceof EmbedError)) throw thrown;
        failures++;
        const hopeless =
          thrown.kind !== 'rejected' && !succeeded && failures >= defaults.embed.hopelessAfterFailures;
        if (!thrown.divisible || hopeless) last = thrown;
        if (last || end - start === 1) outcomes.fill(failure(thrown), start, end);
        else {
          const middle = Math.ceil((start + end) / 2);
          ranges.push({ start, end: middle }, { start: middle, end });
        }
      }
    }
    return outcomes;
  }

  /** One request, tried again where that may help. Rejects with an EmbedError, or with `aborted`. */
  async #request(texts: readonly string[], o: Call, whole: boolean): Promise<Float32Array[]> {
    try {
      return await pRetry(() => this.#once(texts, o), {
        retries: o.kind === 'query' ? Math.min(1, this.#retries) : this.#retries,
        minTimeout: 0,
        ...(o.signal ? { signal: o.signal } : {}),
        shouldRetry: async ({ error, attemptNumber }) => {
          if (!(error instanceof EmbedError) || !error.retryable) return false;
          // The whole batch has been tried again already: now it is about which text is the cause.
          if (!whole && error.divisible) return false;
          const wait = this.#waitMs(error, attemptNumber, o.kind);
          if (o.kind === 'query' && wait > defaults.embed.queryRetryMs) return false;
          await sleep(wait, undefined, o.signal ? { signal: o.signal } : {});
          return true;
        },
      });
    } catch (error) {
      throwIfAborted(o.signal);
      throw error;
    }
  }

  #waitMs(error: EmbedError, attempt: number, kind: Call['kind']): number {
    if (error.retryAfterMs !== undefined) return Math.min(error.retryAfterMs, this.#maxRetryAfterMs);
    if (kind === 'query') return defaults.embed.queryRetryMs;
    // Spread out, so that several processes do not come back together.
    return this.#retryBaseMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  }

  async #once(texts: readonly string[], o: Call): Promise<Float32Array[]> {
    try {
      const answer: unknown = await withTimeout(this.id, this.#timeoutMs, o.signal, (signal) =>
        this.#embedder.embed(texts, { kind: o.kind, signal }),
      );
      return this.#check(answer, texts.length);
    } catch (error) {
      throwIfAborted(o.signal);
      throw asEmbedError(error, this.id);
    }
  }

  #check(answer: unknown, count: number): Float32Array[] {
    if (!Array.isArray(answer)) {
      throw new EmbedError('bad-response', `${this.id} gave ${show(answer)} for ${count} texts.`);
    }
    if (answer.length !== count) {
      throw new EmbedError('bad-response', `${this.id} gave ${answer.length} vectors for ${count} texts.`);
    }
    const vectors = answer.map(toVector);
    const width = this.#checkedWidth(vectors);
    const dimensions = this.#dimensions ?? width;
    const units = vectors.map((vector) => toUnit(width > dimensions ? vector.slice(0, dimensions) : vector));
    this.#width = width;
    this.#dimensions = dimensions;
    return units;
  }

  /** The one width that all vectors have, and that fits the space. */
  #checkedWidth(vectors: readonly Float32Array[]): number {
    const width = vectors[0]!.length;
    const other = vectors.find((vector) => vector.length !== width);
    if (other) {
      throw new EmbedError(
        'bad-response',
        `${this.id} gave vectors of ${width} and of ${other.length} dimensions.`,
      );
    }
    const wanted = this.#dimensions;
    const fits =
      this.#width === null
        ? wanted === null || width === wanted || (width > wanted && this.space.canTruncate === true)
        : width === this.#width;
    if (fits) return width;
    if (this.#stored !== null && this.#width === null) {
      throw new EmbedError(
        'bad-response',
        `${this.id} gives vectors of ${width} dimensions, and those in the store have ${this.#stored}: the model behind the name is another one.`,
        { hint: 'Run reembed, or go back to the model.', otherWidth: true, divisible: false },
      );
    }
    throw new EmbedError(
      'bad-response',
      `${this.id} gave vectors of ${width} dimensions where ${this.#width ?? wanted} were expected.`,
      { hint: 'Set dimensions to the width of the model, or leave it out.' },
    );
  }
}

function failure(error: EmbedError): Embedded {
  return { ok: false, error };
}

function inBatches<T>(values: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let i = 0; i < values.length; i += size) batches.push(values.slice(i, i + size));
  return batches;
}

function atLeastOne(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new CorvidError('invalid-argument', `${name} must be a whole number from 1, not ${show(value)}.`, {
    hint: 'Leave it out to take the default.',
  });
}
