import { describe, expect, it } from 'vitest';
import { presetOf } from './presets.js';

describe('presetOf', () => {
  it.each([
    ['nomic-embed-text', 768, 'search_query: ', 'search_document: ', false, 2048, false],
    ['all-minilm', 384, '', '', false, 256, false],
    ['bge-m3', 1024, '', '', false, 8192, true],
    ['embeddinggemma', 768, 'task: search result | query: ', 'title: none | text: ', true, 2048, true],
    ['text-embedding-3-small', 1536, '', '', true, 8192, true],
    ['text-embedding-3-large', 3072, '', '', true, 8192, true],
    ['text-embedding-ada-002', 1536, '', '', false, 8192, true],
  ] as const)(
    '%s',
    (model, dimensions, queryPrefix, documentPrefix, canTruncate, maxTokens, multilingual) => {
      expect(presetOf(model)).toMatchObject({
        dimensions,
        queryPrefix,
        documentPrefix,
        canTruncate,
        maxTokens,
        multilingual,
        fusion: 'rrf',
      });
    },
  );

  it('knows a model by its family, whatever owner, host, tag or ending its name has', () => {
    const nomic = presetOf('nomic-embed-text');
    expect(presetOf('nomic-embed-text:v1.5')).toEqual(nomic);
    expect(presetOf('hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4_K_M')).toEqual(nomic);
    expect(presetOf('sentence-transformers/all-MiniLM-L6-v2')).toEqual(presetOf('all-minilm'));
    expect(presetOf('BAAI/bge-m3')).toEqual(presetOf('bge-m3:latest'));
    expect(presetOf('nomic-embed-text-v2-moe')).toMatchObject({ multilingual: true, maxTokens: 512 });
  });

  it('tells the sizes of qwen3-embedding by their tag', () => {
    const widths = ['qwen3-embedding:0.6b', 'qwen3-embedding:4b', 'qwen3-embedding:8b', 'qwen3-embedding'];
    expect(widths.map((model) => presetOf(model)?.dimensions)).toEqual([1024, 2560, 4096, 4096]);
    expect(presetOf('hf.co/Qwen/Qwen3-Embedding-0.6B-GGUF:Q8_0')?.dimensions).toBe(1024);
  });

  it('says nothing about models it does not know', () => {
    expect(presetOf('my-nomic-embed-text')).toBeUndefined();
    expect(presetOf('clay')).toBeUndefined();
  });
});
