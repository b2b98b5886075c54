import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { type Embedder, type Memory, open } from '../../src/index.js';
import { EmbeddingServer } from '../support/embedding-server.js';
import { addAll, tempFolder, tempStore } from '../support/temp.js';

const servers: EmbeddingServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface GatedEmbedder extends Embedder {
  /** How many more batches of documents are answered; the others wait. */
  allow(batches: number): void;
  texts: string[];
}

/** Texts about kilns point one way, others another; which way depends on the model. Batches of four. */
function gated(model: string, axis: 0 | 1, refused = ''): GatedEmbedder {
  let allowed = Number.POSITIVE_INFINITY;
  const waiting: (() => void)[] = [];
  const texts: string[] = [];
  return {
    id: `test:${model}`,
    space: { provider: 'test', model, dimensions: 2 },
    maxBatch: 4,
    texts,
    allow(batches) {
      allowed = batches;
      for (const go of waiting.splice(0)) go();
    },
    async embed(given, { kind, signal }) {
      if (kind === 'document') {
        while (allowed <= 0) {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            signal?.addEventListener('abort', () => resolve(), { once: true });
          });
          signal?.throwIfAborted();
        }
        allowed--;
        texts.push(...given);
        if (refused && given.some((text) => text.includes(refused))) throw new Error('no such text, please');
      }
      return given.map((text) => {
        const kiln = /kiln|oven/.test(text) ? 1 : 0.1;
        return Float32Array.from(axis === 0 ? [kiln, 1 - kiln / 2] : [1 - kiln / 2, kiln]);
      });
    },
  };
}

const notes = Object.fromEntries([
  ...Array.from({ length: 15 }, (_, i) => [`boat${i}`, `a boat in the harbour, number ${i}`] as const),
  ['kiln', 'the kiln is hot'],
]);

/** Found by meaning alone: the word is in no text. */
const byMeaning = async (memory: Memory) => {
  const { hits, degraded } = await memory.search('oven', { limit: 1, touch: false });
  return { first: hits[0]?.id, degraded };
};

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function builtWith(one: Embedder, path = `${tempFolder()}/corvid.db`): Promise<string> {
  const memory = await open({ path, embedder: one });
  await addAll(memory, notes);
  await memory.drain();
  await memory.close();
  return path;
}

describe('while the vectors of another embedder are built', () => {
  it('those of the former one answer, then at once the new ones alone', async () => {
    const path = await builtWith(gated('one', 0));
    const two = gated('two', 1);
    two.allow(2);
    const memory = await tempStore({ path, embedder: two, formerEmbedder: gated('one', 0) });
    const building = memory.reembed();
    await until(async () => (await memory.status()).embeddings.embedded === 8);
    expect(await byMeaning(memory)).toEqual({
      first: 'kiln',
      degraded: [
        {
          stream: 'vector',
          reason: 'reembedding',
          done: 8,
          total: 16,
          hint: expect.stringContaining('test:one'),
        },
      ],
    });
    two.allow(Number.POSITIVE_INFINITY);
    expect(await building).toEqual({ embedded: 16, pending: 0, failed: 0, total: 16 });
    expect(await byMeaning(memory)).toEqual({ first: 'kiln', degraded: [] });
    expect((await memory.status()).embeddings.embedded).toBe(16);
    expect(new Set(two.texts).size).toBe(two.texts.length);
  });

  it('a former model of the same server answers without being named', async () => {
    const server = await EmbeddingServer.start({
      fault: (request) => (request.model === 'two' ? { delayMs: 20 } : undefined),
    });
    servers.push(server);
    const on = (model: string) => ({ provider: 'ollama', model, url: server.url, maxBatch: 1 });
    const path = await builtWith({ ...gated('unused', 0), space: { provider: 'x', model: 'y' } });
    const first = await open({ path, embedder: on('one') });
    await first.reembed();
    await first.close();
    const memory = await tempStore({ path, embedder: on('two') });
    const building = memory.reembed();
    const during = await memory.search('kiln', { streams: ['vector'], limit: 1 });
    expect(during.hits[0]?.id).toBe('kiln');
    expect(during.degraded).toMatchObject([{ reason: 'reembedding', total: 16 }]);
    const queries = server.requests.filter((request) => request.inputs.includes('kiln'));
    expect(queries.map((request) => request.model)).toEqual(['one']);
    await building;
    expect((await memory.search('kiln', { streams: ['vector'], limit: 1 })).degraded).toEqual([]);
  });

  it('keywords answer where the former embedder cannot be had, and the hint says how', async () => {
    const path = await builtWith(gated('one', 0));
    const two = gated('two', 1);
    two.allow(1);
    const memory = await tempStore({ path, embedder: two });
    const building = memory.reembed();
    const found = await memory.search('kiln', { touch: false });
    expect(found.hits.map((hit) => hit.id)).toEqual(['kiln']);
    expect(found.degraded[0]).toMatchObject({
      reason: 'reembedding',
      hint: expect.stringContaining('formerEmbedder'),
    });
    two.allow(Number.POSITIVE_INFINITY);
    await building;
  });

  it('a store that was closed midway goes on when it is opened again, and switches by itself', async () => {
    const path = await builtWith(gated('one', 0));
    const two = gated('two', 1);
    two.allow(2);
    const stopped = await open({ path, embedder: two });
    const building = stopped.reembed();
    await until(async () => (await stopped.status()).embeddings.embedded === 8);
    await stopped.close();
    await building;
    two.allow(Number.POSITIVE_INFINITY);
    const memory = await tempStore({ path, embedder: two });
    await memory.drain();
    expect(await byMeaning(memory)).toEqual({ first: 'kiln', degraded: [] });
    expect(new Set(two.texts).size).toBe(16);
    expect(two.texts.length).toBeLessThanOrEqual(16 + 8);
  });

  it('a process that still has the former embedder is served, may write, and is told after the switch', async () => {
    const path = await builtWith(gated('one', 0));
    const old = await tempStore({ path, embedder: gated('one', 0) });
    const two = gated('two', 1);
    two.allow(2);
    const memory = await tempStore({ path, embedder: two, formerEmbedder: gated('one', 0) });
    const building = memory.reembed();
    await until(async () => (await memory.status()).embeddings.embedded === 8);
    expect(await byMeaning(old)).toEqual({ first: 'kiln', degraded: [] });
    await old.add({ id: 'late', kind: 'document', text: 'a second kiln, and a third kiln' });
    two.allow(Number.POSITIVE_INFINITY);
    expect(await building).toMatchObject({ embedded: 17, pending: 0 });
    expect((await memory.search('oven', { limit: 2 })).hits.map((hit) => hit.id).sort()).toEqual([
      'kiln',
      'late',
    ]);
    expect((await byMeaning(old)).degraded).toMatchObject([{ reason: 'stale-vectors' }]);
    await old.add({ id: 'later', kind: 'document', text: 'one more kiln' });
    await memory.embed();
    expect((await memory.search('oven', { limit: 3 })).hits.map((hit) => hit.id)).toContain('later');
  });

  it('a text that the new embedder refuses does not hold up the switch', async () => {
    const path = await builtWith(gated('one', 0));
    const two = gated('two', 1, 'number 7');
    const memory = await tempStore({ path, embedder: two });
    expect(await memory.reembed()).toMatchObject({ embedded: 15, pending: 1, failed: 1 });
    expect(await byMeaning(memory)).toMatchObject({
      first: 'kiln',
      degraded: [{ reason: 'partial', pending: 1, total: 16 }],
    });
  });

  it('a store whose vectors are of the named former embedder says that they are stale, and uses them', async () => {
    const path = await builtWith(gated('one', 0));
    const memory = await tempStore({ path, embedder: gated('two', 1), formerEmbedder: gated('one', 0) });
    expect(await byMeaning(memory)).toMatchObject({ first: 'kiln', degraded: [{ reason: 'stale-vectors' }] });
  });

  it('formerEmbedder without embedder is refused', async () => {
    await expect(open({ path: ':memory:', formerEmbedder: gated('one', 0) })).rejects.toMatchObject({
      code: 'invalid-argument',
    });
  });
});

describe('the worker', () => {
  it('outlives a file that is locked for longer than a write waits', async () => {
    const path = `${tempFolder()}/corvid.db`;
    const one = gated('one', 0);
    one.allow(0);
    const memory = await tempStore({ path, embedder: one, busyTimeoutMs: 50 });
    await addAll(memory, notes);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    one.allow(Number.POSITIVE_INFINITY);
    await expect(memory.drain()).rejects.toMatchObject({ code: 'busy' });
    other.exec('ROLLBACK');
    other.close();
    await memory.drain();
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 16, pending: 0 });
  });
});
