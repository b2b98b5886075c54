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

/** An embedder by its settings. What is left out comes from the model's preset. */
export interface EmbedderConfig {
  /** `ollama` or `openai`. */
  provider: string;
  /** Default: `nomic-embed-text`, `text-embedding-3-small`. */
  model?: string | undefined;
  /** Address of the server; default from the environment, then the provider's usual one. */
  url?: string | undefined;
  apiKey?: string | undefined;
  /** Width of the vectors: below the model's they are cut, where it allows that. */
  dimensions?: number | undefined;
  queryPrefix?: string | undefined;
  documentPrefix?: string | undefined;
  /** For models without a preset: whether vectors may be cut short. */
  canTruncate?: boolean | undefined;
  maxBatch?: number | undefined;
  maxTokens?: number | undefined;
  /** Most milliseconds a request may take; default 60,000. */
  timeoutMs?: number | undefined;
  fusion?: FusionChoice | undefined;
}

/** A name (`provider`, `provider:model`, `none`), settings, or an embedder of the caller's own. */
export type EmbedderSpec = string | Embedder | EmbedderConfig;
