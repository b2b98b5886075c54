import type { FusionChoice } from '../contracts/index.js';

/** What is known about a model. */
export interface ModelPreset {
  /** Components of a whole vector. */
  dimensions: number;
  queryPrefix: string;
  documentPrefix: string;
  /** Whether its vectors may be cut short and renormalised (Matryoshka). */
  canTruncate: boolean;
  /** The widths it was trained to be cut to; undefined: any. */
  truncatesTo?: readonly number[];
  /** Most tokens a text. */
  maxTokens: number;
  /** False: English only. */
  multilingual: boolean;
  fusion: FusionChoice;
}

/** The model behind a provider's bare name. */
export const defaultModels = { ollama: 'nomic-embed-text', openai: 'text-embedding-3-small' } as const;

export type ProviderName = keyof typeof defaultModels;

const plain = { queryPrefix: '', documentPrefix: '', canTruncate: false, fusion: 'rrf' } as const;

/**
 * Model families by the start of their name, longest first where one begins another. Figures and prefixes are those of
 * the model cards; token limits those of the models as Ollama and OpenAI serve them.
 */
const families: readonly { name: RegExp; facts: (name: string) => ModelPreset }[] = [
  {
    // Version 2 is another model: multilingual, with a short window.
    name: /^nomic-embed-text-v2/,
    facts: () => ({ ...nomic, maxTokens: 512, multilingual: true }),
  },
  { name: /^nomic-embed-text/, facts: () => nomic },
  {
    name: /^all-minilm/,
    facts: () => ({ ...plain, dimensions: 384, maxTokens: 256, multilingual: false }),
  },
  { name: /^bge-m3/, facts: () => ({ ...plain, dimensions: 1024, maxTokens: 8192, multilingual: true }) },
  {
    name: /^embeddinggemma/,
    facts: () => ({
      dimensions: 768,
      queryPrefix: 'task: search result | query: ',
      documentPrefix: 'title: none | text: ',
      canTruncate: true,
      truncatesTo: [768, 512, 256, 128],
      maxTokens: 2048,
      multilingual: true,
      fusion: 'rrf',
    }),
  },
  {
    name: /^qwen3-embedding/,
    facts: (name) => ({
      dimensions: /\b0\.6b\b/.test(name) ? 1024 : /\b4b\b/.test(name) ? 2560 : 4096,
      queryPrefix:
        'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
      documentPrefix: '',
      canTruncate: true,
      maxTokens: 32_768,
      multilingual: true,
      fusion: 'rrf',
    }),
  },
  {
    name: /^mxbai-embed-large/,
    facts: () => ({
      ...plain,
      dimensions: 1024,
      queryPrefix: 'Represent this sentence for searching relevant passages: ',
      canTruncate: true,
      maxTokens: 512,
      multilingual: false,
    }),
  },
  { name: /^text-embedding-3-small/, facts: () => ({ ...openai, dimensions: 1536, canTruncate: true }) },
  { name: /^text-embedding-3-large/, facts: () => ({ ...openai, dimensions: 3072, canTruncate: true }) },
  { name: /^text-embedding-ada-002/, facts: () => ({ ...openai, dimensions: 1536 }) },
];

const openai = { ...plain, maxTokens: 8192, multilingual: true } as const;

const nomic: ModelPreset = {
  ...plain,
  // Not cut short: its recipe for that needs a layer norm before the cut.
  dimensions: 768,
  queryPrefix: 'search_query: ',
  documentPrefix: 'search_document: ',
  maxTokens: 2048,
  multilingual: false,
};

/**
 * The facts of a model by its name as providers write it, with or without owner, host, tag, and the endings of
 * quantised files: `nomic-embed-text:v1.5` and `hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4_K_M` are the same family.
 * Undefined for a model that is not known.
 */
export function presetOf(model: string): ModelPreset | undefined {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  return families.find((family) => family.name.test(name))?.facts(name);
}
