import type { Embedder, EmbedderConfig, EmbedderSpec, EmbeddingSpace } from '../../contracts/index.js';
import { CorvidError, show } from '../../errors.js';
import { defaultModels, type ModelPreset, type ProviderName, presetOf } from '../presets.js';
import { ollamaEmbedder } from './ollama.js';
import { ollamaUrl } from './ollama-url.js';
import { openaiEmbedder } from './openai.js';

/** An embedder with what else is known of its model. */
export interface ResolvedEmbedder extends Embedder {
  timeoutMs?: number | undefined;
  /** False: English only. Undefined: not known. */
  multilingual?: boolean | undefined;
  /** The embedder of another space behind the same server and key; null when it is of another provider. */
  ofSpace?(space: EmbeddingSpace): ResolvedEmbedder | null;
}

/** Variables of the environment that name servers and keys. */
export type EmbedderEnv = Readonly<Record<string, string | undefined>>;

/**
 * The embedder that a name, settings or an embedder of the caller's stands for; null for `none`. Names are `provider`,
 * `provider:model` or `provider/model`, split at the first colon or slash. No request is made.
 *
 * Reads from `env`: CORVID_OLLAMA_URL, else OLLAMA_HOST; OPENAI_API_KEY, OPENAI_BASE_URL.
 */
export function resolveEmbedder(spec: EmbedderSpec, o: { env: EmbedderEnv }): ResolvedEmbedder | null {
  if (typeof spec === 'string') {
    return spec.trim() === 'none' ? null : build(parseName(spec.trim()), o.env);
  }
  if (typeof spec !== 'object' || spec === null) throw notAnEmbedder(spec);
  if ('embed' in spec) {
    const { id, space, embed } = spec;
    if (typeof id !== 'string' || typeof embed !== 'function' || typeof space?.model !== 'string') {
      throw notAnEmbedder(spec);
    }
    checkWidth(space.dimensions);
    return spec;
  }
  if (typeof spec.provider !== 'string') throw notAnEmbedder(spec);
  return build(spec, o.env);
}

function parseName(name: string): EmbedderConfig {
  const colon = name.indexOf(':');
  // Without a colon, or with the slash first, the slash divides: `ollama/bge-m3:latest`.
  const slash = name.indexOf('/');
  const at = colon < 0 ? slash : slash < 0 ? colon : Math.min(colon, slash);
  if (at < 0) return { provider: name };
  const model = name.slice(at + 1);
  if (model === '') {
    throw new CorvidError('invalid-argument', `The embedder ${show(name)} names no model.`, {
      hint: 'Write it as provider:model, such as ollama:bge-m3.',
    });
  }
  return { provider: name.slice(0, at), model };
}

function build(config: EmbedderConfig, env: EmbedderEnv): ResolvedEmbedder {
  const provider = config.provider.toLowerCase();
  if (!isProvider(provider)) {
    throw new CorvidError('invalid-argument', `No embedder is called ${show(config.provider)}.`, {
      hint: `Known are ${Object.keys(defaultModels).join(', ')} and none, or pass an embedder of your own.`,
    });
  }
  const model = config.model ?? defaultModels[provider];
  const preset = presetOf(model);
  checkWidth(config.dimensions);
  checkCut(`${provider}:${model}`, config, preset);
  const common = {
    space: {
      provider,
      model,
      dimensions: config.dimensions ?? preset?.dimensions,
      queryPrefix: config.queryPrefix ?? preset?.queryPrefix ?? '',
      documentPrefix: config.documentPrefix ?? preset?.documentPrefix ?? '',
      canTruncate: preset?.canTruncate ?? config.canTruncate ?? false,
    },
    maxBatch: config.maxBatch,
    maxTokens: config.maxTokens ?? preset?.maxTokens,
    fusion: config.fusion ?? preset?.fusion,
  };
  const embedder =
    provider === 'ollama'
      ? ollamaEmbedder({ ...common, url: ollamaUrl(config.url, env), apiKey: config.apiKey })
      : openaiEmbedder({
          ...common,
          ...openaiAccess(model, config, env),
          requestDimensions: common.space.canTruncate ? config.dimensions : undefined,
        });
  return {
    ...embedder,
    timeoutMs: config.timeoutMs,
    multilingual: preset?.multilingual,
    ofSpace: (space) => (space.provider === provider ? build(withSpace(config, space), env) : null),
  };
}

/** The same access, with the model and all else that the space says. */
function withSpace({ url, apiKey, timeoutMs }: EmbedderConfig, space: EmbeddingSpace): EmbedderConfig {
  const { provider, model, dimensions, canTruncate } = space;
  const { queryPrefix = '', documentPrefix = '' } = space;
  return {
    provider,
    model,
    dimensions,
    canTruncate,
    queryPrefix,
    documentPrefix,
    url,
    apiKey,
    timeoutMs,
  };
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(defaultModels, name);
}

const OPENAI_URL = 'https://api.openai.com/v1';

function openaiAccess(
  model: string,
  config: EmbedderConfig,
  env: EmbedderEnv,
): { url: string; apiKey: string | undefined } {
  const custom = config.url || env.OPENAI_BASE_URL;
  const apiKey = config.apiKey || env.OPENAI_API_KEY || undefined;
  if (!custom && apiKey === undefined) {
    throw new CorvidError('invalid-argument', `The embedder openai:${model} has no key.`, {
      hint: 'Set OPENAI_API_KEY, or give the url of a server that needs none.',
    });
  }
  const url = custom || OPENAI_URL;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new CorvidError('invalid-argument', `The url of openai:${model} is not one: ${show(url)}.`, {
      hint: `Write it as ${OPENAI_URL}.`,
    });
  }
  return { url, apiKey };
}

function checkWidth(dimensions: unknown): void {
  if (dimensions === undefined) return;
  if (typeof dimensions === 'number' && Number.isInteger(dimensions) && dimensions > 0) return;
  throw new CorvidError('invalid-argument', `dimensions must be a whole number, not ${show(dimensions)}.`, {
    hint: 'Leave it out to take the width of the model.',
  });
}

/** Whether vectors of the model can have the width that is asked for. */
function checkCut(id: string, config: EmbedderConfig, preset: ModelPreset | undefined): void {
  const asked = config.dimensions;
  if (asked === undefined || preset === undefined || asked === preset.dimensions) return;
  if (asked > preset.dimensions || !preset.canTruncate) {
    throw new CorvidError(
      'invalid-argument',
      `${id} gives vectors of ${preset.dimensions} dimensions, which cannot become ${asked}.`,
      { hint: preset.canTruncate ? `Use at most ${preset.dimensions}.` : 'Leave dimensions out.' },
    );
  }
  if (preset.truncatesTo && !preset.truncatesTo.includes(asked)) {
    throw new CorvidError('invalid-argument', `${id} cannot be cut to ${asked} dimensions.`, {
      hint: `Use one of ${preset.truncatesTo.join(', ')}.`,
    });
  }
}

function notAnEmbedder(spec: unknown): CorvidError {
  return new CorvidError('invalid-argument', `Not an embedder: ${show(spec)}.`, {
    hint: 'Give a name such as ollama:bge-m3, { provider, model, … }, an object with id, space and embed, or none.',
  });
}
