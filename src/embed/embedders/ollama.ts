import type { Embedder, EmbeddingSpace, FusionChoice } from '../../contracts/index.js';
import { EmbedError } from '../embed-error.js';
import { toVector } from '../to-vector.js';
import { field, maxAnswerBytes, postJson } from './post-json.js';
import { withPrefix } from './with-prefix.js';

export interface OllamaOptions {
  space: EmbeddingSpace;
  /** Address of the server, such as `http://127.0.0.1:11434`. */
  url: string;
  apiKey?: string | undefined;
  maxBatch?: number | undefined;
  maxTokens?: number | undefined;
  fusion?: FusionChoice | undefined;
}

/** Models of an Ollama server, by its `/api/embed`. */
export function ollamaEmbedder(o: OllamaOptions): Embedder {
  const { model } = o.space;
  const id = `ollama:${model}`;
  const url = `${o.url.replace(/\/+$/, '').replace(/\/(v1|api(\/embed)?)$/, '')}/api/embed`;
  return {
    id,
    space: o.space,
    maxBatch: o.maxBatch,
    maxTokens: o.maxTokens,
    fusion: o.fusion,
    async embed(texts, { kind, signal }) {
      const answer = await postJson({
        url,
        // Without `truncate: false` the server cuts long texts and says nothing.
        body: { model, input: withPrefix(texts, kind, o.space), truncate: false },
        apiKey: o.apiKey,
        id,
        unreachableHint: 'Start Ollama (`ollama serve`), or set CORVID_OLLAMA_URL.',
        notFoundHint: `Run \`ollama pull ${model}\`.`,
        maxBytes: maxAnswerBytes(texts.length),
        signal,
      });
      return vectorsOf(answer, id).map(toVector);
    },
  };
}

function vectorsOf(answer: unknown, id: string): unknown[] {
  const vectors = field(answer, 'embeddings');
  if (Array.isArray(vectors)) return vectors;
  const old = field(answer, 'embedding') !== undefined;
  throw new EmbedError(
    'bad-response',
    `${id} answered without \`embeddings\`${old ? ', in the form of the old /api/embeddings' : ''}.`,
    { hint: 'Use a version of Ollama that has /api/embed (0.3 or newer).' },
  );
}
