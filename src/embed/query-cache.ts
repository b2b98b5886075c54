import { LRUCache } from 'lru-cache';
import { defaults } from '../core/defaults.js';

/** Vectors of recent queries, so that the same question in the same space costs no second request. */
export class QueryCache {
  readonly #entries: LRUCache<string, Float32Array>;

  /** Keeps at most `maxBytes` (8 MB) of texts and vectors, the ones used last. */
  constructor(o: { maxBytes?: number } = {}) {
    this.#entries = new LRUCache({
      maxSize: o.maxBytes ?? defaults.embed.queryCacheBytes,
      sizeCalculation: (vector, key) => vector.byteLength + 2 * key.length,
    });
  }

  /** A copy: what a caller does to it changes no later answer. */
  get(space: string, text: string): Float32Array | undefined {
    return this.#entries.get(keyOf(space, text))?.slice();
  }

  /** `space` is the fingerprint of the space the vector is of. */
  set(space: string, text: string, vector: Float32Array): void {
    this.#entries.set(keyOf(space, text), vector.slice());
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** The length stands between them, so that no space and text can be read as another pair. */
function keyOf(space: string, text: string): string {
  return `${space.length}:${space}:${text}`;
}
