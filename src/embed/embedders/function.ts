import type { Embedder, FusionChoice } from '../../contracts/index.js';
import { toVector } from '../to-vector.js';
import { withPrefix } from './with-prefix.js';

/** One vector a text, in the order given, in any form that {@link toVector} takes. */
export type EmbedFunction = (
  texts: readonly string[],
  kind: 'query' | 'document',
  signal: AbortSignal | undefined,
) => Iterable<unknown> | Promise<Iterable<unknown>>;

export interface FunctionEmbedderOptions {
  /** Names the model: change it with whatever makes vectors differ. */
  model: string;
  /** Default `function`. */
  provider?: string | undefined;
  /** Default: found from the first answer. */
  dimensions?: number | undefined;
  queryPrefix?: string | undefined;
  documentPrefix?: string | undefined;
  canTruncate?: boolean | undefined;
  maxBatch?: number | undefined;
  maxTokens?: number | undefined;
  fusion?: FusionChoice | undefined;
}

/** Makes an embedder of a function of the caller's. */
export function functionEmbedder(embed: EmbedFunction, o: FunctionEmbedderOptions): Embedder {
  const space = {
    provider: o.provider ?? 'function',
    model: o.model,
    dimensions: o.dimensions,
    queryPrefix: o.queryPrefix ?? '',
    documentPrefix: o.documentPrefix ?? '',
    canTruncate: o.canTruncate ?? false,
  };
  return {
    id: `${space.provider}:${o.model}`,
    space,
    maxBatch: o.maxBatch,
    maxTokens: o.maxTokens,
    fusion: o.fusion,
    async embed(texts, { kind, signal }) {
      const vectors = await embed(withPrefix(texts, kind, space), kind, signal);
      return Array.from(vectors, toVector);
    },
  };
}
