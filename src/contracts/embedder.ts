import type { FusionChoice } from './fusion.js';

/** What makes two vectors comparable, as a caller names it. */
export interface EmbeddingSpace {
  provider: string;
  model: string;
  dimensions?: number | undefined;
  queryPrefix?: string | undefined;
  documentPrefix?: string | undefined;
  /** Whether vectors of the model may be cut short and renormalised (Matryoshka); default false. */
  canTruncate?: boolean | undefined;
}

/** Turns texts into vectors. */
export interface Embedder {
  /** A short name for messages, such as `ollama:nomic-embed-text`. */
  id: string;
  space: EmbeddingSpace;
  /** Most texts a call; default 64. */
  maxBatch?: number | undefined;
  /** Most tokens a text. */
  maxTokens?: number | undefined;
  /** The fusion that suits this model; default `rrf`. */
  fusion?: FusionChoice | undefined;
  /** One vector of `space.dimensions` finite numbers a text, in the order given. */
  embed(
    texts: readonly string[],
    o: { kind: 'query' | 'document'; signal?: AbortSignal },
  ): Promise<Float32Array[]>;
}
