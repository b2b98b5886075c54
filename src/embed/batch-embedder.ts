import type { EmbeddingSpace, FusionChoice } from '../contracts/index.js';
import type { CorvidError } from '../errors.js';

/** What became of one text: its unit vector, or why there is none. */
export type Embedded = { ok: true; vector: Float32Array } | { ok: false; error: CorvidError };

/** An embedder whose answers are checked, batched, retried and normalised: never a vector on the wrong text. */
export interface BatchEmbedder {
  id: string;
  space: EmbeddingSpace;
  maxBatch: number;
  fusion?: FusionChoice | undefined;
  /**
   * The width of the vectors that are stored, for a model whose width is not declared; null: whatever comes. Vectors of
   * another width are then refused with `otherWidth`.
   */
  expectWidth?(width: number | null): void;
  /** One outcome a text, in the order given. Rejects only when the signal ends the call. */
  embedEach(
    texts: readonly string[],
    o: { kind: 'query' | 'document'; signal?: AbortSignal },
  ): Promise<Embedded[]>;
}
