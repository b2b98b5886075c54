import { describe, expect, it } from 'vitest';
import type { EmbedderSpec } from '../../contracts/index.js';
import { CorvidError } from '../../errors.js';
import { functionEmbedder } from './function.js';
import { resolveEmbedder } from './resolve-embedder.js';

const env = { OPENAI_API_KEY: 'k' };
const resolve = (spec: EmbedderSpec) => resolveEmbedder(spec, { env });

function refusal(act: () => unknown): CorvidError {
  try {
    act();
  } catch (error) {
    if (error instanceof CorvidError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('resolveEmbedder', () => {
  it.each([
    ['ollama', 'ollama:nomic-embed-text', 768],
    ['openai', 'openai:text-embedding-3-small', 1536],
    ['ollama:bge-m3:latest', 'ollama:bge-m3:latest', 1024],
    ['ollama/bge-m3:latest', 'ollama:bge-m3:latest', 1024],
    [
      'ollama:hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4',
      'ollama:hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4',
      768,
    ],
    ['OLLAMA:clay', 'ollama:clay', undefined],
  ])('%s is %s', (name, id, dimensions) => {
    expect(resolve(name)).toMatchObject({ id });
    expect(resolve(name)?.space.dimensions).toBe(dimensions);
  });

  it('none is no embedder', () => {
    expect(resolve('none')).toBeNull();
  });

  it('an unknown model has no prefixes', () => {
    expect(resolve('ollama:clay')?.space).toMatchObject({
      queryPrefix: '',
      documentPrefix: '',
      canTruncate: false,
    });
  });

  it("an embedder of the caller's is taken as it is", () => {
    const own = functionEmbedder(() => [], { model: 'm' });
    expect(resolve(own)).toBe(own);
  });

  it('an unknown provider is named, with those that are known', () => {
    const error = refusal(() => resolve('olama:bge-m3'));
    expect(error.code).toBe('invalid-argument');
    expect(error.message).toContain('"olama"');
    expect(error.hint).toContain('ollama, openai');
  });

  it.each(['', 'ollama:', 'ollama/'])('the name %j is refused', (name) => {
    expect(refusal(() => resolve(name)).code).toBe('invalid-argument');
  });

  it.each([null, 7, {}, { id: 'x', embed: 1 }, { provider: 3 }])('%j is refused', (spec) => {
    expect(refusal(() => resolve(spec as unknown as EmbedderSpec)).code).toBe('invalid-argument');
  });

  it('openai wants a key, except on another server', () => {
    const error = refusal(() => resolveEmbedder('openai', { env: {} }));
    expect(error.code).toBe('invalid-argument');
    expect(error.hint).toContain('OPENAI_API_KEY');
    expect(resolveEmbedder('openai', { env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' } })).not.toBeNull();
    expect(refusal(() => resolve({ provider: 'openai', url: 'not a url' })).code).toBe('invalid-argument');
  });

  it('vectors are cut only where the model allows it, and to widths it knows', () => {
    expect(resolve({ provider: 'openai', dimensions: 256 })?.space.dimensions).toBe(256);
    expect(resolve({ provider: 'ollama', model: 'embeddinggemma', dimensions: 256 })?.space.dimensions).toBe(
      256,
    );
    for (const config of [
      { provider: 'ollama', dimensions: 256 },
      { provider: 'openai', model: 'text-embedding-ada-002', dimensions: 256 },
      { provider: 'openai', dimensions: 2000 },
      { provider: 'ollama', model: 'embeddinggemma', dimensions: 300 },
      { provider: 'ollama', model: 'clay', dimensions: 2.5 },
      { provider: 'ollama', model: 'clay', dimensions: 0 },
    ]) {
      expect(refusal(() => resolve(config)).code, JSON.stringify(config)).toBe('invalid-argument');
    }
  });
});
