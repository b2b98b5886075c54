import { afterEach, describe, expect, it } from 'vitest';
import { type Embedder, type Memory, open } from '../../src/index.js';
import { EmbeddingServer, type EmbeddingServerOptions } from '../support/embedding-server.js';
import { addAll, ids, tempFolder, tempStore } from '../support/temp.js';

const servers: EmbeddingServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(o: EmbeddingServerOptions = {}): Promise<EmbeddingServer> {
  const server = await EmbeddingServer.start(o);
  servers.push(server);
  return server;
}

const on = (server: EmbeddingServer, model = 'scripted') => ({ provider: 'ollama', model, url: server.url });

/** Given texts have given vectors; all others point away from them. */
function scripted(vectors: Record<string, readonly number[]>): Embedder & { calls: string[] } {
  const calls: string[] = [];
  return {
    id: 'test:scripted',
    space: { provider: 'test', model: 'scripted', dimensions: 3 },
    calls,
    async embed(texts, { kind }) {
      if (kind === 'query') calls.push(...texts);
      return texts.map((text) => Float32Array.from(vectors[text] ?? [0, 0, 1]));
    },
  };
}

const rrfSetting = {
  streams: ['lexical', 'vector'] as const,
  fusion: 'rrf' as const,
  weights: { lexical: 1, vector: 1 },
  prior: 'off' as const,
};
const distractors = Object.fromEntries(
  ['barley', 'violin', 'ferry', 'fence', 'bakery', 'passport', 'chess', 'freezer', 'owl', 'projector'].map(
    (word) => [word, `something about the ${word}`],
  ),
);

describe('S1, S2 the RRF setting', () => {
  it('first in both gives 2/61; first in lexical and tenth in vector 1/61 + 1/70; in one only 1/61 and null', async () => {
    const near = Object.fromEntries(
      Object.values(distractors)
        .slice(0, 9)
        .map((text, i) => [text, [1, 0.01 * (i + 1), 0]]),
    );
    const embedder = scripted({ ...near, 'kiln question': [1, 0, 0], 'the kiln': [1, 0.5, 0] });
    const memory = await tempStore({ embedder });
    await addAll(memory, { kiln: 'the kiln', ...distractors });
    await memory.drain();
    const explained = await memory.search('kiln question', { ...rrfSetting, explain: true });
    const kiln = explained.hits.find((hit) => hit.id === 'kiln')!.explanation!;
    expect(kiln.streams.lexical!.rank).toBe(1);
    expect(kiln.streams.vector!.rank).toBe(10);
    expect(kiln.fused).toBeCloseTo(0.030679, 6);
    const barley = explained.hits.find((hit) => hit.id === 'barley')!.explanation!;
    expect(barley.streams.lexical).toBeNull();
    expect(barley.fused).toBeCloseTo(0.016393, 6);
    const both = await tempStore({
      embedder: scripted({ 'kiln question': [1, 0, 0], 'the kiln': [1, 0, 0] }),
    });
    await addAll(both, { kiln: 'the kiln', ...distractors });
    await both.drain();
    expect(
      (await both.search('kiln question', { ...rrfSetting, explain: true })).hits[0]!.explanation!.fused,
    ).toBeCloseTo(0.032787, 6);
  });
});

describe('S5, S6 meaning without a shared word', () => {
  const pairs: [string, string][] = [
    ['Which graphics card is installed?', 'the GPU server has 4x RTX 3090'],
    ['authentication timeout', 'JWT session expired after 30s'],
    ['login timed out while idle', 'a sessão do usuário caiu por inatividade'],
  ];

  it.each(pairs)('%s', async (question, text) => {
    const lexical = await tempStore({ embedder: 'none' });
    await addAll(lexical, { it: text, ...distractors });
    expect(await ids(lexical, question)).not.toContain('it');
    const memory = await tempStore({ embedder: scripted({ [question]: [1, 0, 0], [text]: [0.9, 0.1, 0] }) });
    await addAll(memory, { it: text, ...distractors });
    await memory.drain();
    const { hits } = await memory.search(question, { explain: true });
    expect(hits[0]!.id).toBe('it');
    expect(hits[0]!.explanation!.streams.lexical).toBeNull();
    expect(hits[0]!.explanation!.streams.vector!.rank).toBe(1);
  });
});

describe('S7 an exact identifier is found among a thousand distractors', () => {
  const many = Object.fromEntries(
    Array.from({ length: 1000 }, (_, i) => [
      `d${i}`,
      `show the creation rate of limit number ${i} in observation list ${i % 37}`,
    ]),
  );
  const named = {
    a: 'the hook ShowCreation runs first',
    b: 'set rate_limit to forty',
    c: 'see obs_3 for the reading',
  };

  it.each([['none'], ['vectors that point elsewhere']])('with %s', async (name) => {
    const embedder =
      name === 'none'
        ? 'none'
        : scripted(Object.fromEntries(Object.values(named).map((text) => [text, [0, 1, 0]])));
    const memory = await tempStore({ embedder });
    await addAll(memory, { ...many, ...named });
    await memory.drain();
    expect((await ids(memory, 'ShowCreation'))[0]).toBe('a');
    expect((await ids(memory, 'rate_limit'))[0]).toBe('b');
    expect((await ids(memory, 'obs_3'))[0]).toBe('c');
  });
});

describe('S10 to S13 an embedder that is up, held, down, or not wanted', () => {
  const items = { kiln: 'the kiln reached cone six', boat: 'the boat needs paint', ...distractors };

  it('S10: both ranks, nothing degraded, one query call with its prefix', async () => {
    const server = await serve({ dimensions: 768 });
    const memory = await tempStore({ embedder: on(server, 'nomic-embed-text') });
    await addAll(memory, items);
    await memory.drain();
    const before = server.requests.length;
    const { hits, degraded } = await memory.search('how hot was the kiln?', { explain: true });
    expect(degraded).toEqual([]);
    expect(hits[0]!.explanation!.streams).toMatchObject({ lexical: { rank: 1 }, vector: { rank: 1 } });
    expect(server.requests.slice(before).map((request) => request.inputs)).toEqual([
      ['search_query: how hot was the kiln?'],
    ]);
    expect(server.requests[0]!.inputs.every((input) => input.startsWith('search_document: '))).toBe(true);
    await memory.search('how hot was the kiln?');
    expect(server.requests.length).toBe(before + 1);
  });

  it('S11: no vectors yet: lexical hits, and how many are pending', async () => {
    const server = await serve({
      fault: (request) => (request.inputs.length > 0 ? { delayMs: 2000 } : undefined),
    });
    const memory = await tempStore({ embedder: on(server) });
    await addAll(memory, items);
    const { hits, degraded } = await memory.search('kiln');
    expect(hits[0]!.id).toBe('kiln');
    expect(degraded).toMatchObject([{ stream: 'vector', reason: 'no-vectors', pending: 12 }]);
  });

  it.each([
    ['hangs', 'timeout', 'hang' as const],
    ['answers 500', 'unavailable', { status: 500 }],
    ['answers HTML', 'bad-response', 'html' as const],
    ['cuts the connection', 'unavailable', 'drop' as const],
  ])(
    'S12: a server that %s gives the lexical hits within the deadline, and recovers',
    async (_, reason, fault) => {
      const server = await serve();
      let now = Date.UTC(2031, 0, 1);
      const memory = await tempStore({ embedder: on(server), clock: { now: () => now } });
      await addAll(memory, items);
      await memory.drain();
      const lexical = await ids(memory, 'kiln cone', { streams: ['lexical', 'exact'] });
      server.options = { ...server.options, fault: () => fault };
      const start = performance.now();
      for (let i = 0; i < 5; i++) {
        const { hits, degraded } = await memory.search(`kiln cone ${'?'.repeat(i)}`, { deadlineMs: 300 });
        expect(hits.map((hit) => hit.id)).toEqual(lexical);
        expect(degraded).toMatchObject([{ stream: 'vector', reason: i < 3 ? reason : 'unavailable' }]);
      }
      expect(performance.now() - start).toBeLessThan(5000);
      server.options = { ...server.options, fault: () => undefined };
      now += 31_000;
      expect((await memory.search('kiln cone again')).degraded).toEqual([]);
    },
  );

  it('S12: a server that refuses connections is unavailable, and require makes that an error', async () => {
    const server = await serve();
    const memory = await tempStore({ embedder: on(server) });
    await addAll(memory, items);
    await memory.drain();
    await server.close();
    const { hits, degraded } = await memory.search('kiln');
    expect(hits[0]!.id).toBe('kiln');
    expect(degraded).toMatchObject([{ stream: 'vector', reason: 'unavailable' }]);
    await expect(memory.search('kiln', { require: ['vector'] })).rejects.toMatchObject({
      code: 'stream-unavailable',
    });
    await server.listen();
    expect((await memory.search('kiln now')).degraded).toEqual([]);
  });

  it("S13: without an embedder nothing is asked, nothing is degraded, and the file's vectors do not matter", async () => {
    const server = await serve();
    const path = `${tempFolder()}/corvid.db`;
    const first = await open({ path, embedder: on(server) });
    await addAll(first, items);
    await first.drain();
    await first.close();
    const asked = server.requests.length;
    const memory = await tempStore({ path, embedder: 'none' });
    const { hits, degraded } = await memory.search('the kiln and the boat');
    expect(degraded).toEqual([]);
    expect(hits.every((hit) => hit.explanation === undefined)).toBe(true);
    await memory.add({ id: 'new', text: 'another kiln' });
    expect(server.requests.length).toBe(asked);
    const plain = await tempStore({ embedder: 'none' });
    await addAll(plain, items);
    await plain.add({ id: 'new', text: 'another kiln' });
    expect(await ids(memory, 'the kiln and the boat')).toEqual(await ids(plain, 'the kiln and the boat'));
  });
});

describe("S22 vectors of the caller's own", () => {
  const space = { provider: 'openai', model: 'text-embedding-ada-002', dimensions: 1536 };
  const vector = (at: number) => Array.from({ length: 1536 }, (_, i) => (i === at ? 2 : 0.001));

  async function withVectors(): Promise<Memory> {
    const memory = await tempStore({ embedder: 'none' });
    await memory.addMany([
      { id: 'a', text: 'the kiln', embedding: vector(1), space },
      { id: 'b', text: 'the boat', embedding: vector(2), space },
    ]);
    return memory;
  }

  it('are compared in their space, without any embedder', async () => {
    const memory = await withVectors();
    const { hits, degraded } = await memory.search('nothing shared', {
      queryVector: vector(2),
      space,
      explain: true,
    });
    expect(degraded).toEqual([]);
    expect(hits[0]!.id).toBe('b');
    expect(hits[0]!.explanation!.streams.vector).toMatchObject({ rank: 1, raw: expect.closeTo(1, 5) });
    const lexical = await memory.search('kiln', {
      queryVector: vector(2),
      space,
      streams: ['lexical'],
      explain: true,
    });
    expect(lexical.hits.map((hit) => [hit.id, hit.explanation!.streams.vector])).toEqual([['a', null]]);
  });

  it('of another space find nothing and say so; of a wrong width, or without a space, they are an error', async () => {
    const memory = await withVectors();
    const other = { ...space, model: 'another-model' };
    const { hits, degraded } = await memory.search('kiln', { queryVector: vector(2), space: other });
    expect(hits.map((hit) => hit.id)).toEqual(['a']);
    expect(degraded).toMatchObject([{ stream: 'vector', reason: 'no-such-space' }]);
    const short = vector(2).slice(0, 768);
    await expect(memory.search('kiln', { queryVector: short, space })).rejects.toThrow(/768.*1536/);
    await expect(memory.search('kiln', { queryVector: vector(2) })).rejects.toThrow(/space/);
    await expect(memory.add({ text: 'x', embedding: short, space })).rejects.toThrow(/768.*1536/);
    await expect(memory.search('kiln', { queryVector: [1, Number.NaN], space })).rejects.toThrow(
      /queryVector/,
    );
    expect(
      (await memory.search('kiln', { queryVector: vector(0).map(() => 0), space })).degraded,
    ).toMatchObject([{ reason: 'bad-vector' }]);
  });
});

describe('S25 an embedder set on a store that has none', () => {
  it('fills up what is missing, and a change of the model is served by neither until reembed, then by the new alone', async () => {
    const path = `${tempFolder()}/corvid.db`;
    const lexical = await open({ path });
    await lexical.addMany(
      Array.from({ length: 500 }, (_, i) => ({
        id: `i${i}`,
        kind: 'document' as const,
        text: `kiln reading number ${i}`,
      })),
    );
    await lexical.close();
    const server = await serve();
    const stopped = await open({ path, embedder: on(server, 'one') });
    while ((await stopped.status()).embeddings.embedded < 100)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await stopped.close();
    const memory = await open({ path, embedder: on(server, 'one') });
    await memory.drain();
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 500, pending: 0 });
    expect((await memory.search('kiln reading 7')).degraded).toEqual([]);
    await memory.close();
    const changed = await tempStore({ path, embedder: on(server, 'two') });
    const stale = await changed.search('kiln reading 7');
    expect(stale.hits).toHaveLength(10);
    expect(stale.degraded).toMatchObject([{ stream: 'vector', reason: 'stale-vectors' }]);
    expect(await changed.reembed()).toMatchObject({ embedded: 500, pending: 0 });
    expect((await changed.search('kiln reading 7')).degraded).toEqual([]);
    const asked = server.requests
      .filter((request) => request.model === 'two')
      .flatMap((request) => request.inputs);
    expect(new Set(asked.filter((text) => text.startsWith('kiln reading number'))).size).toBe(500);
  });
});
