import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  CorvidError,
  type EmbedderSpec,
  functionEmbedder,
  type Memory,
  type NewItem,
  open,
  type SearchOptions,
} from '../../src/index.js';
import { checkIndex } from '../support/check-index.js';
import { EmbeddingServer } from '../support/embedding-server.js';
import { tempFolder, tempStore } from '../support/temp.js';

/** Gives each text its own vector; what is not listed is an error. */
function scripted(
  vectors: Readonly<Record<string, unknown>>,
  o: { model?: string; dimensions?: number } = {},
) {
  const asked: { kind: string; text: string }[] = [];
  const embedder = functionEmbedder(
    (texts, kind) =>
      texts.map((text) => {
        asked.push({ kind, text });
        if (!(text in vectors)) throw new Error(`no vector for ${JSON.stringify(text)}`);
        return vectors[text];
      }),
    { model: 'scripted', ...o },
  );
  return { embedder, asked };
}

/** `angle 12.5` becomes the direction at that angle, in degrees. */
const angles = () =>
  functionEmbedder(
    (texts) =>
      texts.map((text) => {
        const radians = (Number(/angle ([\d.]+)/.exec(text)?.[1]) * Math.PI) / 180;
        return [Math.cos(radians), Math.sin(radians)];
      }),
    { model: 'angles' },
  );

const byVector = { streams: ['vector'], prior: 'off', touch: false } satisfies SearchOptions;

async function vectorIds(memory: Memory, text: string, o: SearchOptions = {}): Promise<string[]> {
  return (await memory.search(text, { ...byVector, ...o })).hits.map((hit) => hit.id);
}

/** The cosine of every hit, by id. */
async function cosines(memory: Memory, text: string, o: SearchOptions = {}): Promise<Record<string, number>> {
  const { hits } = await memory.search(text, { ...byVector, explain: true, ...o });
  return Object.fromEntries(hits.map((hit) => [hit.id, hit.explanation?.streams.vector?.raw ?? Number.NaN]));
}

/** Looks into the file: what a chunk's job says, and the bytes of its vector. */
async function stored(
  memory: Memory,
): Promise<{ id: string; error: string | null; vector: Buffer | null }[]> {
  const db = new Sqlite((await memory.status()).path, { readonly: true });
  try {
    return db
      .prepare(
        `SELECT i.id, j.error, e.vector FROM items i JOIN chunks c ON c.item_key = i.item_key
         LEFT JOIN embedding_jobs j ON j.chunk = c.chunk LEFT JOIN embeddings e ON e.chunk = c.chunk ORDER BY i.id`,
      )
      .all() as { id: string; error: string | null; vector: Buffer | null }[];
  } finally {
    db.close();
  }
}

async function storeWith(items: Record<string, string>, embedder: EmbedderSpec): Promise<Memory> {
  const memory = await tempStore({ embedder });
  await memory.addMany(Object.entries(items).map(([id, text]) => ({ id, text, kind: 'document' as const })));
  await memory.drain();
  return memory;
}

async function errorOf(call: Promise<unknown>): Promise<CorvidError> {
  const error = await call.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(CorvidError);
  return error as CorvidError;
}

describe('V01 what the asker may not see takes no place among the nearest', () => {
  interface Case {
    near: Partial<NewItem>;
    far: Partial<NewItem>;
    search: SearchOptions;
  }
  const cases: Record<string, Case> = {
    'of another user': {
      near: { scope: { user: 'bob' } },
      far: { scope: { user: 'ann' } },
      search: { viewer: { user: 'ann' } },
    },
    'of another project': {
      near: { scope: { project: 'loud' } },
      far: { scope: { project: 'quiet' } },
      search: { viewer: { project: 'quiet' } },
    },
    'of another workspace': {
      near: { scope: { workspace: 'loud' } },
      far: { scope: { workspace: 'quiet' } },
      search: { viewer: { workspace: 'quiet' } },
    },
    'of another room': {
      near: { scope: { room: 'hall' } },
      far: { scope: { room: 'attic' } },
      search: { viewer: { rooms: ['attic'] } },
    },
    'before the date': {
      near: { occurredAt: '2020-01-01' },
      far: { occurredAt: '2030-01-01' },
      search: { filter: { after: '2029-01-01' } },
    },
    'after the date': {
      near: { occurredAt: '2030-01-01' },
      far: { occurredAt: '2020-01-01' },
      search: { filter: { before: '2021-01-01' } },
    },
    'of another kind': { near: {}, far: { kind: 'message' }, search: { filter: { kinds: ['message'] } } },
    'without the tag': { near: { tags: ['a'] }, far: { tags: ['b'] }, search: { filter: { tags: ['b'] } } },
    'of another source': {
      near: { source: 'a' },
      far: { source: 'b' },
      search: { filter: { source: 'b' } },
    },
    expired: { near: { expiresAt: '2020-01-01' }, far: {}, search: {} },
  };

  async function build(count: number, { near, far }: Case): Promise<Memory> {
    const memory = await tempStore({ embedder: angles() });
    const document = { kind: 'document' as const };
    await memory.addMany([
      ...Array.from({ length: count }, (_, i) => ({
        ...document,
        ...near,
        id: `near${i}`,
        text: `angle ${(i * 10) / count}`,
      })),
      ...[3, 1, 4, 0, 2].map((i) => ({ ...document, ...far, id: `far${i}`, text: `angle ${40 + i}` })),
    ]);
    await memory.drain();
    return memory;
  }

  it.each(Object.entries(cases))('%s', async (_, one) => {
    const memory = await build(300, one);
    const found = await memory.search('angle 0', { ...byVector, ...one.search, limit: 5 });
    expect(found.hits.map((hit) => hit.id)).toEqual(['far0', 'far1', 'far2', 'far3', 'far4']);
    expect(found.degraded).toEqual([]);
    // More than there are: still only these.
    expect((await vectorIds(memory, 'angle 0', { ...one.search, limit: 50 })).length).toBe(5);
  });

  it('archived, 200 of 300, and all of them', async () => {
    const memory = await build(300, { near: {}, far: {}, search: {} });
    for (let i = 0; i < 200; i++) await memory.archive(`near${i}`);
    expect((await vectorIds(memory, 'angle 0', { limit: 100 }))[0]).toBe('near200');
    for (let i = 200; i < 300; i++) await memory.archive(`near${i}`);
    expect(await vectorIds(memory, 'angle 0', { limit: 5 })).toEqual([
      'far0',
      'far1',
      'far2',
      'far3',
      'far4',
    ]);
    expect((await vectorIds(memory, 'angle 0', { limit: 5, include: ['archived'] }))[0]).toBe('near0');
  });

  it('5 000 of them, with archived ones among them', async () => {
    const one = cases['of another user']!;
    const memory = await build(5000, one);
    for (let i = 0; i < 200; i++) await memory.archive(`near${i}`, { viewer: { user: 'bob' } });
    const wanted = ['far0', 'far1', 'far2', 'far3', 'far4'];
    expect(await vectorIds(memory, 'angle 0', { ...one.search, limit: 5 })).toEqual(wanted);
    expect((await vectorIds(memory, 'angle 0', { viewer: { user: 'bob' }, limit: 1 }))[0]).toBe('near200');
    // All streams together give the same five: the words of the near ones are not seen either.
    const hybrid = await memory.search('angle 0', { viewer: { user: 'ann' }, limit: 50 });
    expect(hybrid.hits.map((hit) => hit.id).sort()).toEqual(wanted);
  });
});

describe('V02 the width of the vectors changes', () => {
  const four = { kiln: [1, 0, 0, 0], glaze: [0, 1, 0, 0], ferry: [0, 0, 1, 0], harbour: [0, 0, 0.9, 0.4] };
  const six = {
    kiln: [0, 0, 0, 0, 0, 1],
    glaze: [0, 0, 0, 0, 1, 0],
    ferry: [1, 0, 0, 0, 0, 0],
    harbour: [0.9, 0.4, 0, 0, 0, 0],
    'kiln shelf': [0, 0, 0, 0, 0.4, 0.9],
  };

  it.each<[string, { model?: string; dimensions?: number }, { model?: string; dimensions?: number }]>([
    ['declared, of the same model', { dimensions: 4 }, { dimensions: 6 }],
    ['not declared, of another model', { model: 'one' }, { model: 'two' }],
  ])(
    '%s: searches go by words and say why, adding works, and vectors are back after reembed',
    async (_, before, after) => {
      const path = `${tempFolder()}/corvid.db`;
      const first = await open({ path, embedder: scripted(four, before).embedder });
      await first.addMany(['kiln', 'glaze', 'ferry'].map((text) => ({ id: text, text })));
      await first.drain();
      expect((await first.status()).embeddings).toEqual({
        embedded: 3,
        pending: 0,
        failed: 0,
        lastError: null,
      });
      await first.close();

      const other = scripted(six, after);
      const memory = await open({ path, embedder: other.embedder });
      const stale = async () => {
        const found = await memory.search('kiln');
        expect(found.degraded).toMatchObject([{ stream: 'vector', reason: 'stale-vectors' }]);
        expect(found.degraded[0]?.hint).toMatch(/reembed/);
        return found.hits.map((hit) => hit.id);
      };
      expect(await stale()).toEqual(['kiln']);
      expect(await memory.add({ id: 'shelf', text: 'kiln shelf' })).toMatchObject({ status: 'added' });
      await memory.drain();
      expect((await stale()).sort()).toEqual(['kiln', 'shelf']);
      expect((await errorOf(memory.embed())).code).toBe('stale-vectors');

      expect(await memory.reembed()).toMatchObject({ embedded: 4, pending: 0, failed: 0 });
      const found = await memory.search('harbour', byVector);
      expect(found.degraded).toEqual([]);
      expect(found.hits[0]?.id).toBe('ferry');
      expect(found.hits).toHaveLength(4);
      // Every text went to the new embedder: nothing of the old width is taken over.
      expect(
        other.asked
          .filter(({ kind }) => kind === 'document')
          .map(({ text }) => text)
          .sort(),
      ).toEqual(['ferry', 'glaze', 'kiln', 'kiln shelf']);
      for (const { vector } of await stored(memory)) expect(vector?.length).toBe(6 * 4);
      await checkIndex(memory);
      await memory.close();
    },
  );

  it('not declared, of the same name: says that the vectors are stale, keeps the queue, and reembed builds new ones', async () => {
    const path = `${tempFolder()}/corvid.db`;
    const first = await open({ path, embedder: scripted(four, { model: 'one' }).embedder });
    await first.addMany(['kiln', 'glaze', 'ferry'].map((text) => ({ id: text, text })));
    await first.drain();
    await first.close();

    const memory = await open({ path, embedder: scripted(six, { model: 'one' }).embedder });
    await memory.add({ id: 'shelf', text: 'kiln shelf' });
    await memory.drain();
    const stale = await memory.search('kiln');
    expect(stale.hits.map((hit) => hit.id).sort()).toEqual(['kiln', 'shelf']);
    expect(stale.degraded).toMatchObject([
      { stream: 'vector', reason: 'stale-vectors', hint: expect.stringMatching(/6 dimensions.* 4.*reembed/) },
    ]);
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 3, pending: 1, failed: 1 });
    expect((await memory.status()).embeddings.lastError).toMatch(/6 dimensions/);
    expect(new Set((await stored(memory)).map(({ vector }) => vector?.length))).toEqual(
      new Set([4 * 4, undefined]),
    );

    expect(await memory.reembed()).toMatchObject({ embedded: 4, pending: 0, failed: 0 });
    const found = await memory.search('harbour', byVector);
    expect(found.degraded).toEqual([]);
    expect(found.hits[0]?.id).toBe('ferry');
    for (const { vector } of await stored(memory)) expect(vector?.length).toBe(6 * 4);
    await checkIndex(memory);
    await memory.close();
    const again = await tempStore({ path, embedder: scripted(six, { model: 'one' }).embedder });
    expect((await again.search('harbour', byVector)).degraded).toEqual([]);
  });

  it("a caller's vector of another width than its space is refused, both ways in", async () => {
    const memory = await tempStore();
    const space = { provider: 'mine', model: 'm' };
    await memory.add({ id: 'a', text: 'kiln', embedding: [1, 0, 0, 0], space });
    for (const call of [
      memory.add({ id: 'b', text: 'glaze', embedding: [1, 0], space }),
      memory.search('kiln', { queryVector: [1, 0], space }),
    ]) {
      const error = await errorOf(call);
      expect(error.code).toBe('invalid-argument');
      expect(error.message).toMatch(/\b2 numbers.*\b4\b/);
    }
    expect(await memory.get('b')).toBeNull();
  });
});

describe('V03 another model with the same width', () => {
  it('its vectors are not compared with those of the first, nor is a query vector of the first used', async () => {
    const path = `${tempFolder()}/corvid.db`;
    const a = { kiln: [1, 0, 0, 0], ferry: [0, 1, 0, 0], clay: [0, 0, 1, 0], pottery: [0.9, 0.1, 0.3, 0] };
    const first = await open({ path, embedder: scripted(a, { model: 'A', dimensions: 4 }).embedder });
    await first.addMany(['kiln', 'ferry', 'clay'].map((text) => ({ id: text, text })));
    await first.drain();
    expect((await vectorIds(first, 'pottery'))[0]).toBe('kiln');
    await first.close();

    // The axes of kiln and ferry are exchanged: with a vector of A the wrong one would come first.
    const b = scripted(
      {
        kiln: [0, 1, 0, 0],
        ferry: [1, 0, 0, 0],
        clay: [0, 0, 0, 1],
        sail: [0.9, 0, 0.4, 0],
        slip: [0, 0.3, 0, 0.9],
        pottery: [0.1, 0.9, 0, 0.3],
      },
      { model: 'B', dimensions: 4 },
    );
    const memory = await open({ path, embedder: b.embedder });
    await memory.addMany(['sail', 'slip'].map((text) => ({ id: text, text })));
    await memory.drain();
    const found = await memory.search('kiln', { explain: true });
    expect(found.hits.map((hit) => hit.id)).toEqual(['kiln']);
    expect(found.hits.every((hit) => hit.explanation?.streams.vector === null)).toBe(true);
    expect(found.degraded).toMatchObject([{ stream: 'vector', reason: 'stale-vectors' }]);
    expect((await memory.search('pottery')).hits).toEqual([]);

    await memory.reembed();
    expect((await vectorIds(memory, 'pottery')).slice(0, 2)).toEqual(['kiln', 'slip']);
    expect(b.asked.filter(({ kind }) => kind === 'query').map(({ text }) => text)).toContain('pottery');
    expect((await memory.status()).embeddings).toEqual({
      embedded: 5,
      pending: 0,
      failed: 0,
      lastError: null,
    });
    await memory.close();
  });

  it("a caller's spaces of the same width are not compared either", async () => {
    const memory = await tempStore();
    const space = (model: string) => ({ provider: 'mine', model, dimensions: 2 });
    await memory.add({ id: 'a', text: 'kiln', embedding: [1, 0], space: space('A') });
    await memory.add({ id: 'b', text: 'glaze', embedding: [1, 0], space: space('B') });
    expect(await vectorIds(memory, 'x', { queryVector: [1, 0], space: space('A') })).toEqual(['a']);
    expect(await vectorIds(memory, 'x', { queryVector: [1, 0], space: space('B') })).toEqual(['b']);
    const none = await memory.search('x', { queryVector: [1, 0], space: space('C'), ...byVector });
    expect(none).toMatchObject({ hits: [], degraded: [{ reason: 'no-such-space' }] });
  });
});

describe('V04 vectors that say nothing', () => {
  const bad: Record<string, unknown> = {
    nan: [Number.NaN, 0, 0],
    'nan last': [1, 0, Number.NaN],
    infinite: [Number.POSITIVE_INFINITY, 0, 0],
    'minus infinite': [1, Number.NEGATIVE_INFINITY, 0],
    'too large for float32': [1e39, 0, 0],
    zero: [0, 0, 0],
    'minus zero': [-0, 0, -0],
    'null component': [1, null, 0],
    'string component': [1, '0', 0],
    'text of JSON': '[1,NaN,3]',
    hole: new Array<number>(3),
    nothing: [],
  };
  const good = { kiln: [1, 0, 0], oven: [0.9, 0.1, 0], far: [-1, 0.1, 0] };

  it('from an embedder are refused: the item is found by its words and waits, and takes no place', async () => {
    const texts = [...Object.keys(bad), ...Object.keys(good)];
    const memory = await storeWith(
      Object.fromEntries(texts.map((text) => [text, text])),
      scripted({ ...bad, ...good }).embedder,
    );
    const count = Object.keys(bad).length;
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 3, pending: count, failed: count });
    expect(await vectorIds(memory, 'kiln', { limit: 3 })).toEqual(['kiln', 'oven', 'far']);
    expect(await vectorIds(memory, 'kiln', { limit: 100 })).toEqual(['kiln', 'oven', 'far']);
    for (const text of Object.keys(bad)) {
      const { hits } = await memory.search(text, { streams: ['lexical'], explain: true });
      expect(hits.map((hit) => hit.id)).toContain(text);
      for (const hit of hits) expect(Number.isFinite(hit.score)).toBe(true);
    }
    for (const row of await stored(memory)) {
      expect(row.vector === null, row.id).toBe(row.id in bad);
      if (row.id in bad) expect(row.error, row.id).toMatch(/vector/);
    }
  });

  it.each(Object.keys(bad))('for a query (%s): the words answer, with a reason', async (text) => {
    const { embedder } = scripted({ ...bad, ...good });
    const memory = await storeWith({ kiln: 'kiln', oven: 'oven' }, embedder);
    const found = await memory.search('kiln', { queryText: text, explain: true });
    expect(found.hits.map((hit) => hit.id)).toEqual(['kiln']);
    expect(found.degraded).toMatchObject([{ stream: 'vector', reason: 'bad-response' }]);
    for (const hit of found.hits) {
      expect(Number.isFinite(hit.score)).toBe(true);
      expect(Number.isFinite(hit.explanation?.final)).toBe(true);
    }
    expect((await memory.search('kiln', { queryText: text, ...byVector })).hits).toEqual([]);
  });

  it.each(['zero', 'nan', 'null', 'strings'] as const)('from a server (%s)', async (vectors) => {
    await using server = await EmbeddingServer.start({
      fault: (request) => ({ vectors, texts: (text) => text === 'x' || request.inputs[0] === 'odd' }),
    });
    const memory = await storeWith(
      { x: 'x', good: 'kiln' },
      { provider: 'ollama', model: 'm', url: server.url },
    );
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 1, pending: 1, failed: 1 });
    expect(await vectorIds(memory, 'kiln')).toEqual(['good']);
    const found = await memory.search('kiln', { queryText: 'odd' });
    expect(found.degraded).toMatchObject([{ stream: 'vector', reason: 'bad-response' }]);
  });

  it('from the caller are refused by name, and nothing is written', async () => {
    const memory = await tempStore();
    const space = { provider: 'mine', model: 'm', dimensions: 3 };
    await memory.add({ id: 'good', text: 'kiln', embedding: [1, 0, 0], space });
    // A number that float32 does not hold is one all the same: it is scaled before.
    const { 'too large for float32': large, ...refused } = bad;
    await memory.add({ id: 'large', text: 'x', embedding: large as number[], space });
    expect(await cosines(memory, 'x', { queryVector: [1e-200, 0, 0], space })).toEqual({ good: 1, large: 1 });
    for (const [name, vector] of Object.entries(refused)) {
      const error = await errorOf(memory.add({ id: name, text: 'x', embedding: vector as number[], space }));
      expect(error.code, name).toBe('invalid-argument');
      expect(error.message, name).toMatch(/embedding/);
      expect(await memory.get(name), name).toBeNull();
      const outcome = await memory
        .search('kiln', { queryVector: vector as number[], space })
        .catch((e: unknown) => e);
      // Zeros are numbers, and point nowhere: the words answer. All else is a mistake of the caller.
      if (name.includes('zero')) {
        expect(outcome, name).toMatchObject({ hits: [{ id: 'good' }], degraded: [{ reason: 'bad-vector' }] });
      } else expect(outcome, name).toMatchObject({ code: 'invalid-argument' });
    }
  });
});

describe('V05 vectors of any length are compared by their direction', () => {
  const vectors = {
    A: [10, 0.5],
    B: [0.6, 0.8],
    C: [-300, 1],
    q: [1, 0],
    'ten q': [10, 0],
    'small q': [1e-30, 0],
  };

  it.each(['q', 'ten q', 'small q'])(
    'asked with %s: the cosine is exact, and the threshold keeps both',
    async (q) => {
      const memory = await storeWith({ a: 'A', b: 'B', c: 'C' }, scripted(vectors).embedder);
      const found = await cosines(memory, q);
      expect(Object.keys(found)).toEqual(['a', 'b', 'c']);
      expect(found.a).toBeCloseTo(0.99875, 5);
      expect(found.b).toBeCloseTo(0.6, 5);
      expect(found.c).toBeCloseTo(-0.99999, 4);
      expect(await vectorIds(memory, q, { filter: { minCosine: 0.5 } })).toEqual(['a', 'b']);
      expect(await vectorIds(memory, q, { filter: { minCosine: 0.7 } })).toEqual(['a']);
      expect(await vectorIds(memory, q, { filter: { minCosine: 0.9999 } })).toEqual([]);
    },
  );

  it("the caller's too", async () => {
    const memory = await tempStore();
    const space = { provider: 'mine', model: 'm' };
    await memory.add({ id: 'a', text: 'A', embedding: [10, 0.5], space });
    await memory.add({ id: 'b', text: 'B', embedding: Float32Array.of(0.6, 0.8), space });
    const found = await cosines(memory, 'x', { queryVector: [7, 0], space });
    expect(Object.keys(found)).toEqual(['a', 'b']);
    expect(found.a).toBeCloseTo(0.99875, 5);
    expect(found.b).toBeCloseTo(0.6, 5);
  });
});

describe('V06 limits', () => {
  // The documented maximum is 1000 a page: 2000 are two pages.
  it('a page of 1000 of 2 500, and the next one, are whole, in order, and do not overlap', async () => {
    const memory = await storeWith(
      Object.fromEntries(Array.from({ length: 2500 }, (_, i) => [`i${i}`, `angle ${i / 50}`])),
      angles(),
    );
    const pages = await Promise.all(
      [0, 1000].map((offset) => vectorIds(memory, 'angle 0', { limit: 1000, offset })),
    );
    // Neighbours differ by a fiftieth of a degree, which float32 tells apart but for the first few.
    const order = pages.flat().map((id) => Number(id.slice(1)));
    expect(new Set(order).size).toBe(2000);
    expect(Math.max(...order)).toBe(1999);
    order.forEach((place, i) => {
      expect(Math.abs(place - i)).toBeLessThan(3);
    });
    const ten = await vectorIds(memory, 'angle 0', { limit: 10, offset: 10 });
    expect(ten).toEqual(pages[0]!.slice(10, 20));
    expect(await vectorIds(memory, 'angle 0', { limit: 10, offset: 2495 })).toHaveLength(5);
    expect(await vectorIds(memory, 'angle 0', { limit: 10, offset: 2500 })).toEqual([]);
  });

  it.each([0, -1, 2.5, '10', Number.NaN, 1e9, 2000, null, Number.POSITIVE_INFINITY])(
    'limit %j is refused by name',
    async (limit) => {
      const memory = await storeWith({ a: 'angle 1' }, angles());
      for (const streams of [['vector'], ['lexical'], undefined] as const) {
        const error = await errorOf(
          memory.search('angle 0', { limit: limit as number, ...(streams ? { streams } : {}) }),
        );
        expect(error.code).toBe('invalid-argument');
        expect(error.message).toMatch(/^limit must be /);
        expect(error.hint).not.toBe('');
      }
      if (Number.isFinite(limit) && Number(limit) > 1000) {
        expect((await errorOf(memory.search('x', { limit: Number(limit) }))).message).toContain('1000');
      }
    },
  );

  it.each([-1, 2.5, '10', Number.NaN, null])('offset %j is refused by name', async (offset) => {
    const memory = await storeWith({ a: 'angle 1' }, angles());
    const error = await errorOf(memory.search('angle 0', { offset: offset as number }));
    expect(error.code).toBe('invalid-argument');
    expect(error.message).toMatch(/^offset must be /);
  });
});

// Of V08 only what concerns float32 and the exact scan. The int8 mode (its recall, saturation, and what binds to it) is
// not there yet; its cases come with it.
describe('V08 scale and precision', () => {
  /** Numbers from a fixed seed, in [-1, 1). */
  function numbers(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 31 - 1;
    };
  }

  it('vectors at twenty times their length give the order and the cosines of an exact comparison', async () => {
    const next = numbers(7);
    const wide = 96;
    const vectors = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [
        `v${i}`,
        Array.from({ length: wide }, () => next() * (i % 2 ? 20 : 0.05)),
      ]),
    );
    const questions = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`q${i}`, Array.from({ length: wide }, () => next() * 20)]),
    );
    const memory = await storeWith(
      Object.fromEntries(Object.keys(vectors).map((name) => [name, name])),
      scripted({ ...vectors, ...questions }).embedder,
    );
    const cosine = (a: number[], b: number[]) =>
      a.reduce((sum, x, i) => sum + x * b[i]!, 0) / Math.hypot(...a) / Math.hypot(...b);
    for (const [name, question] of Object.entries(questions)) {
      const exact = Object.entries(vectors)
        .map(([id, vector]) => ({ id, raw: cosine(vector, question) }))
        .sort((a, b) => b.raw - a.raw)
        .slice(0, 10);
      const found = await cosines(memory, name, { limit: 10 });
      expect(Object.keys(found)).toEqual(exact.map(({ id }) => id));
      for (const { id, raw } of exact) expect(found[id]).toBeCloseTo(raw, 5);
    }
  });

  it('a component that is NaN is refused at any place', async () => {
    for (const place of [0, 50, 95]) {
      const vector = Array.from({ length: 96 }, (_, i) => (i === place ? Number.NaN : 1));
      const memory = await storeWith({ a: 'x' }, scripted({ x: vector }).embedder);
      expect((await memory.status()).embeddings).toMatchObject({ embedded: 0, pending: 1, failed: 1 });
      expect((await stored(memory))[0]?.error).toContain(`component ${place}`);
    }
  });
});

describe('V09 forms of a vector', () => {
  const wanted = [0.5, -0.25, 0.75, 1];
  const floats = Float32Array.from(wanted);
  const bytes = Buffer.from(floats.buffer.slice(0));
  const pooled = Buffer.concat([Buffer.from([7]), bytes, Buffer.from([7])]).subarray(1, 17);
  const unit = wanted.map((x) => x / Math.hypot(...wanted));
  const others = { north: [0, 0, 1, 0], south: [0, 0, -1, 0] };

  it.each<[string, unknown]>([
    ['number[]', wanted],
    ['Float32Array', floats],
    ['a view into a longer Float32Array', Float32Array.from([9, ...wanted, 9]).subarray(1, 5)],
    ['Float64Array', Float64Array.from(wanted)],
    ['a view into a longer Float64Array', Float64Array.from([9, ...wanted, 9]).subarray(1, 5)],
    ['a Buffer', bytes],
    ['a Buffer at an odd offset', pooled],
    ['base64', bytes.toString('base64')],
  ])('%s: the same text has similarity 1, and the bytes are little-endian float32', async (_, form) => {
    const memory = await storeWith(
      { own: 'own', north: 'north', south: 'south' },
      scripted({ own: form, ...others }, { dimensions: 4 }).embedder,
    );
    const found = await cosines(memory, 'own');
    expect(Object.keys(found)).toEqual(['own', 'north', 'south']);
    expect(found.own).toBeGreaterThan(0.999999);
    const { vector } = (await stored(memory)).find((row) => row.id === 'own')!;
    expect(vector?.length).toBe(16);
    unit.forEach((x, i) => {
      expect(vector!.readFloatLE(i * 4)).toBeCloseTo(x, 6);
    });
    expect(wanted).toEqual([0.5, -0.25, 0.75, 1]);
    expect([...floats]).toEqual(wanted);
  });

  it.each<[string, unknown]>([
    ['a Float64Array of half the width', Float64Array.of(1, 2)],
    ['a Float32Array of another width', Float32Array.of(1, 2, 3)],
    ['all of a pool', new Float32Array(2048).fill(1)],
    ['an Int8Array', Int8Array.of(1, 2, 3, 4)],
    ['a Uint8Array', Uint8Array.of(1, 2, 3, 4)],
    ['an ArrayBuffer', floats.buffer.slice(0)],
    ['a DataView', new DataView(floats.buffer.slice(0))],
    ['bytes that are no number of float32', bytes.subarray(0, 15)],
    ['bytes of float64', Buffer.from(Float64Array.from(wanted).buffer)],
    ['base64 that is cut', bytes.toString('base64').slice(0, -4)],
    ['a word', 'kiln'],
    ['nested', [wanted]],
    ['an object', { 0: 1, 1: 2, 2: 3, 3: 4 }],
    ['bigints', [1n, 2n, 3n, 4n]],
    ['null', null],
    ['undefined', undefined],
    ['a number', 4],
  ])('%s is a typed error, and no bytes are written', async (_, form) => {
    const memory = await storeWith(
      { own: 'own', north: 'north' },
      scripted({ own: form, ...others }, { dimensions: 4 }).embedder,
    );
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 1, pending: 1, failed: 1 });
    expect((await stored(memory)).find((row) => row.id === 'own')).toMatchObject({ vector: null });
    expect(await vectorIds(memory, 'north')).toEqual(['north']);
    const found = await memory.search('own', { require: ['vector'] }).catch((e: unknown) => e);
    expect(found).toMatchObject({ code: 'stream-unavailable' });
  });

  it('an embedder that keeps its array and writes to it again does not change what is stored', async () => {
    const shared = new Float32Array(2);
    const memory = await tempStore({
      embedder: functionEmbedder(
        function* (texts) {
          for (const text of texts) {
            shared.set(text === 'kiln' ? [1, 0] : [0, 1]);
            yield shared;
          }
        },
        { model: 'shared' },
      ),
    });
    await memory.addMany(['kiln', 'ferry'].map((text) => ({ id: text, text })));
    await memory.drain();
    expect(await cosines(memory, 'kiln')).toEqual({ kiln: 1, ferry: 0 });
  });
});
