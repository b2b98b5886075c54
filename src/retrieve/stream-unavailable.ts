import type { Degradation } from '../contracts/index.js';

/** Thrown by a stream that cannot take part. The search goes on without it and says so. */
export class StreamUnavailable extends Error {
  override readonly name = 'StreamUnavailable';
  /** Null when there is nothing to say: the stream has nothing to look at. */
  readonly degradation: Omit<Degradation, 'stream'> | null;

  constructor(degradation: Omit<Degradation, 'stream'> | null, cause?: unknown) {
    super(degradation?.reason ?? 'nothing to look at', cause === undefined ? undefined : { cause });
    this.degradation = degradation;
  }
}
