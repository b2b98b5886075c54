import type { Embedder, EmbeddingSpace, FusionChoice } from '../../contracts/index.js';
import { EmbedError } from '../embed-error.js';
import { toVector } from '../to-vector.js';
import { field, maxAnswerBytes, postJson } from './post-json.js';
import { withPrefix } from './with-prefix.js';

export interface OpenaiOptions {
  space: EmbeddingSpace;
  /** Base address, with or without `/v1`. */
  url: string;
  /** Left out for servers that want none. */
  apiKey?: string | undefined;
  /** Asks the server itself for shorter vectors: only for models that can, and when fewer are wanted. */
  requestDimensions?: number | undefined;
  maxBatch?: number | undefined;
  maxTokens?: number | undefined;
  fusion?: FusionChoice | undefined;
}

/** Models behind `/v1/embeddings`: OpenAI, and the many servers that speak the same. */
export function openaiEmbedder(o: OpenaiOptions): Embedder {
  const { model } = o.space;
  const id = `openai:${model}`;
  const url = endpoint(o.url);
  return {
    id,
    space: o.space,
    maxBatch: o.maxBatch,
    maxTokens: o.maxTokens,
    fusion: o.fusion,
    async embed(texts, { kind, signal }) {
      const answer = await postJson({
        url,
        body: {
          model,
          input: withPrefix(texts, kind, o.space),
          encoding_format: 'float',
          ...(o.requestDimensions === undefined ? {} : { dimensions: o.requestDimensions }),
        },
        apiKey: o.apiKey,
        id,
        unreachableHint: 'Check the address and the network.',
        notFoundHint: 'Check the name of the model and the address.',
        maxBytes: maxAnswerBytes(texts.length),
        signal,
      });
      return inOrder(answer, id).map(toVector);
    },
  };
}

function endpoint(base: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, '');
  if (path === '') url.pathname = '/v1/embeddings';
  else url.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  return url.href;
}

/** The vectors at the places their `index` names. A server that gives no index at all gives them in order. */
function inOrder(answer: unknown, id: string): unknown[] {
  const data = field(answer, 'data');
  if (!Array.isArray(data)) throw new EmbedError('bad-response', `${id} answered without \`data\`.`);
  const entries: unknown[] = data;
  if (entries.every((entry) => field(entry, 'index') === undefined)) {
    return entries.map((entry) => field(entry, 'embedding'));
  }
  const vectors = new Map<number, unknown>();
  for (const entry of entries) {
    const index = field(entry, 'index');
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= entries.length) {
      throw new EmbedError(
        'bad-response',
        `${id} answered ${entries.length} vectors, one with index ${index}.`,
      );
    }
    if (vectors.has(index)) {
      throw new EmbedError('bad-response', `${id} answered two vectors with index ${index}.`);
    }
    vectors.set(index, field(entry, 'embedding'));
  }
  return entries.map((_, i) => vectors.get(i));
}
