import type { Degradation } from '../contracts/index.js';

/** Thrown by a stream that cannot take part. The search goes on without it and says so. */
export class StreamUnavailable extends Error {
  override readonly name = 'StreamUnavailable';
  readonly degradation: Omit<Degradation, 'stream'>;

  constructor(degradation: Omit<Degradation, 'stream'>, cause?: unknown) {
    super(degradation.reason, cause === undefined ? undefined : { cause });
    this.degradation = degradation;
  }
}
