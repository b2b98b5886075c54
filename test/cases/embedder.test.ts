import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type EmbedderConfig,
  functionEmbedder,
  type Memory,
  open,
  type SearchOptions,
} from '../../src/index.js';
import { checkIndex } from '../support/check-index.js';
import { cliPlace } from '../support/cli.js';
import { EmbeddingServer, type Fault, hashVector } from '../support/embedding-server.js';
import { ids, tempFolder, tempStore } from '../support/temp.js';

let server: EmbeddingServer;

beforeEach(async () => {
  server = await EmbeddingServer.start();
});
afterEach(() => server.close());

const byVector = { streams: ['vector'], prior: 'off', touch: false } satisfies SearchOptions;

const at = (o: Partial<EmbedderConfig> = {}): EmbedderConfig => ({
  provider: 'ollama',
  model: 'clay',
  url: server.url,
  ...o,
});

async function storeWith(texts: readonly string[], o: Partial<EmbedderConfig> = {}): Promise<Memory> {
  const memory = await tempStore({ embedder: at(o) });
  await memory.addMany(texts.map((text) => ({ id: text.slice(0, 40), text, kind: 'document' as const })));
  await memory.drain();
  return memory;
}

/** The hit that is nearest to a text, and how near it is. */
async function nearest(memory: Memory, text: string): Promise<{ id: string; raw: number } | undefined> {
  const { hits } = await memory.search(text, { ...byVector, explain: true, limit: 1 });
  const hit = hits[0];
  return hit && { id: hit.id, raw: hit.explanation?.streams.vector?.raw ?? Number.NaN };
}

async function expectOwnVector(memory: Memory, text: string): Promise<void> {
  const found = await nearest(memory, text);
  expect(found?.id).toBe(text);
  expect(found?.raw).toBeGreaterThan(0.9999);
}

/** The reasons that stand in the file, by id. */
async function reasons(memory: Memory): Promise<Record<string, string>> {
  const db = new Sqlite((await memory.status()).path, { readonly: true });
  try {
    const rows = db
      .prepare(
        `SELECT i.id, j.error FROM embedding_jobs j JOIN chunks c ON c.chunk = j.chunk
         JOIN items i ON i.item_key = c.item_key WHERE j.error IS NOT NULL`,
      )
      .all() as { id: string; error: string }[];
    return Object.fromEntries(rows.map(({ id, error }) => [id, error]));
  } finally {
    db.close();
  }
}

const four = ['amber', 'birch', 'cedar', 'delta'];

describe.each(['ollama', 'openai'])('V10 %s answers a batch with what does not fit it', (provider) => {
  const inBatches = (fault: Fault) => (request: { inputs: string[] }) =>
    request.inputs.length > 1 ? fault : undefined;

  it.each<[string, Fault]>([
    ['a: three vectors for four texts', 'short'],
    ['b: five', 'extra'],
    ['d: the third is missing', 'gap'],
    ['e: one is of another width', { vectors: { width: 12 }, texts: (text) => text === 'cedar' }],
    ['f: the form of the old endpoint', 'old-form'],
  ])('%s: the texts are asked for alone, and each is nearest to itself', async (_, fault) => {
    server.options.fault = inBatches(fault);
    const memory = await storeWith(four, { provider });
    expect((await memory.status()).embeddings).toEqual({
      embedded: 4,
      pending: 0,
      failed: 0,
      lastError: null,
    });
    for (const text of four) await expectOwnVector(memory, text);
  });

  it.each<[string, Fault]>([
    ['a', 'short'],
    ['b', 'extra'],
    ['f', 'old-form'],
  ])('%s, every time: all wait, none has a vector', async (_, fault) => {
    server.options.fault = () => fault;
    const memory = await storeWith(four, { provider });
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 0, pending: 4, failed: 4 });
    const found = await memory.search('cedar');
    expect(found.hits.map((hit) => hit.id)).toEqual(['cedar']);
    expect(found.degraded).toMatchObject([{ stream: 'vector', reason: 'no-vectors', pending: 4 }]);
    server.options.fault = () => undefined;
    expect(await memory.embed()).toMatchObject({ embedded: 4, pending: 0 });
    for (const text of four) await expectOwnVector(memory, text);
  });

  it('d, e: a text whose vector is missing or of another width every time waits alone', async () => {
    server.options.fault = (request) =>
      request.inputs.includes('birch')
        ? request.inputs.length > 1
          ? 'gap'
          : 'short'
        : { vectors: { width: 12 }, texts: (text) => text === 'cedar' };
    const memory = await storeWith(four, { provider });
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 2, pending: 2, failed: 2 });
    expect(Object.keys(await reasons(memory)).sort()).toEqual(['birch', 'cedar']);
    for (const text of ['amber', 'delta']) await expectOwnVector(memory, text);
    expect((await memory.search('birch wood', byVector)).hits.map((hit) => hit.id).sort()).toEqual([
      'amber',
      'delta',
    ]);
  });
});

describe('V10 an answer in another order', () => {
  it('c: is placed by its index, in one request', async () => {
    server.options.fault = () => 'reordered';
    const memory = await storeWith(four, { provider: 'openai' });
    expect(server.requests).toHaveLength(1);
    for (const text of four) await expectOwnVector(memory, text);
  });
});

describe('V11 the embedder is down while something is saved', () => {
  it('it is saved at once, found by its words, counted as pending through a restart, and embedded once the server is back', async () => {
    const path = join(tempFolder(), 'corvid.db');
    await server.close();
    let memory = await open({ path, embedder: at() });
    const begin = performance.now();
    expect(await memory.add({ id: 'a', text: 'the kiln is hot' })).toEqual({ id: 'a', status: 'added' });
    expect(performance.now() - begin).toBeLessThan(1000);
    expect(await ids(memory, 'kiln')).toEqual(['a']);
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 0, pending: 1 });
    await memory.close();

    memory = await open({ path, embedder: at() });
    expect((await memory.status()).embeddings.pending).toBe(1);
    const found = await memory.search('kiln');
    expect(found.hits.map((hit) => hit.id)).toEqual(['a']);
    expect(found.degraded).toMatchObject([{ stream: 'vector', reason: 'no-vectors', pending: 1 }]);
    await server.listen();
    // Nobody asks for it: it is tried again by itself.
    await expect
      .poll(async () => (await memory.status()).embeddings, { timeout: 15_000, interval: 100 })
      .toMatchObject({ embedded: 1, pending: 0, failed: 0 });
    expect(await nearest(memory, 'kiln')).toMatchObject({ id: 'a' });
    expect((await memory.search('kiln')).degraded).toEqual([]);
    await checkIndex(memory);
    await memory.close();
  });

  it('what was saved without an embedder, or in a process that ended at once, is embedded when the store is opened with one', async () => {
    const path = join(tempFolder(), 'corvid.db');
    const without = await open(path);
    await without.add({ id: 'a', text: 'the kiln is hot' });
    await without.close();
    const short = await open({ path, embedder: at() });
    await short.add({ id: 'b', text: 'the ferry is late' });
    await short.close();
    const memory = await open({ path, embedder: at() });
    await memory.drain();
    expect((await memory.status()).embeddings).toEqual({
      embedded: 2,
      pending: 0,
      failed: 0,
      lastError: null,
    });
    expect(server.inputs.sort()).toEqual(['the ferry is late', 'the kiln is hot']);
    await memory.close();
  });

  it('a server that is down is asked a few times for all that waits, and again after a while', async () => {
    server.options.fault = () => ({ status: 503, headers: { 'retry-after': '0' } });
    const memory = await tempStore({ embedder: at({ maxBatch: 10 }) });
    await memory.addMany(
      Array.from({ length: 20 }, (_, i) => ({ text: `kiln ${i}` })),
      { wait: 'embedded' },
    );
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 0, pending: 20, failed: 20 });
    expect(server.requests.length).toBeLessThanOrEqual(8);
    server.options.fault = () => undefined;
    // Nobody asks for it: the worker comes back by itself.
    await expect
      .poll(async () => (await memory.status()).embeddings, { timeout: 15_000, interval: 100 })
      .toMatchObject({ embedded: 20, pending: 0, failed: 0 });
  });

  it('on the command line: the item is stored, and the embedder is named', async () => {
    await server.close();
    const place = cliPlace();
    const env = { CORVID_OLLAMA_URL: server.url };
    const added = await place.run(['add', 'the kiln is hot', '--embedder', 'ollama:clay'], { env });
    expect(added.stderr).toContain('ollama:clay');
    expect(added.stderr).not.toMatch(/\n\s+at /);
    expect(added.stdout).toMatch(/\S/);
    await server.listen();
    const embedded = await place.run(['embed', '--json', '--embedder', 'ollama:clay'], { env });
    expect(JSON.parse(embedded.stdout)).toMatchObject({ embedded: 1, pending: 0 });
  });
});

describe('V12 a slow embedder', () => {
  it.each<[string, Fault]>([
    ['answers after a minute', { delayMs: 60_000 }],
    ['takes the request and never answers', 'hang'],
  ])(
    'that %s costs a search no more than its deadline, and a row of searches no more than three',
    async (_, slow) => {
      let now = Date.UTC(2031, 0, 1);
      const memory = await tempStore({ embedder: at(), clock: { now: () => now } });
      await memory.addMany([
        { id: 'a', text: 'the kiln is hot' },
        { id: 'b', text: 'the ferry is late' },
      ]);
      await memory.drain();
      server.options.fault = () => slow;
      const asked = server.requests.length;

      const begin = performance.now();
      const found = await memory.search('kiln', { deadlineMs: 300 });
      expect(performance.now() - begin).toBeLessThan(1000);
      expect(performance.now() - begin).toBeGreaterThan(250);
      expect(found.hits.map((hit) => hit.id)).toEqual(['a']);
      expect(found.degraded).toMatchObject([{ stream: 'vector', reason: 'timeout' }]);
      expect(found.degraded[0]?.hint).not.toBe('');
      // The request is taken back, not left behind.
      await expect.poll(() => server.requests[asked]?.aborted).toBe(true);

      const row = performance.now();
      for (let i = 0; i < 9; i++) {
        const { hits, degraded } = await memory.search(`kiln ${i}`, { deadlineMs: 300 });
        expect(hits.map((hit) => hit.id)).toEqual(['a']);
        // That it is left alone for a while is said, too.
        expect(degraded).toMatchObject([{ stream: 'vector', reason: i < 2 ? 'timeout' : 'unavailable' }]);
        if (i >= 2) expect(degraded[0]?.hint).toMatch(/tried again/);
      }
      expect(performance.now() - row).toBeLessThan(2000);
      expect(server.requests.length - asked).toBe(3);
      await expect(memory.search('kiln', { require: ['vector'] })).rejects.toMatchObject({
        code: 'stream-unavailable',
      });

      server.options.fault = () => undefined;
      now += 30_000;
      const back = await memory.search('hot kiln', { deadlineMs: 5000, explain: true });
      expect(back.degraded).toEqual([]);
      expect(back.hits[0]?.explanation?.streams.vector?.rank).toBe(1);
    },
  );

  it('one timeout alone silences nothing, and a search without the stream does not wait', async () => {
    const memory = await storeWith(['the kiln is hot']);
    server.options.fault = () => 'hang';
    expect((await memory.search('kiln', { deadlineMs: 50 })).degraded).toMatchObject([{ reason: 'timeout' }]);
    const begin = performance.now();
    expect((await memory.search('kiln', { streams: ['lexical'], deadlineMs: 5000 })).degraded).toEqual([]);
    expect(performance.now() - begin).toBeLessThan(2000);
    server.options.fault = () => undefined;
    expect((await memory.search('kiln', { deadlineMs: 5000 })).degraded).toEqual([]);
  });

  it("ends with the caller's signal", async () => {
    const memory = await storeWith(['the kiln is hot']);
    server.options.fault = () => 'hang';
    const begin = performance.now();
    await expect(
      memory.search('kiln', { deadlineMs: 20_000, signal: AbortSignal.timeout(100) }),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(performance.now() - begin).toBeLessThan(5000);
  });

  it('a slow embedder of documents does not hold up adding, searching or closing', async () => {
    server.options.fault = () => 'hang';
    const path = join(tempFolder(), 'corvid.db');
    const memory = await open({ path, embedder: at() });
    const begin = performance.now();
    await memory.add({ id: 'a', text: 'the kiln is hot' });
    expect((await memory.search('kiln', { deadlineMs: 100 })).hits).toHaveLength(1);
    await memory.close();
    expect(performance.now() - begin).toBeLessThan(5000);
    const again = await open(path);
    expect((await again.status()).embeddings.pending).toBe(1);
    await again.close();
  });
});

describe('V13 errors of a server during a long run', () => {
  function folderOf(count: number): string {
    const folder = join(tempFolder(), 'notes');
    mkdirSync(folder);
    for (let i = 0; i < count; i++) {
      writeFileSync(
        join(folder, `n${String(i).padStart(3, '0')}.md`),
        `# Doc ${i}\n\nreading of kiln${i}.\n`,
      );
    }
    return folder;
  }

  it('99 of 100 documents are embedded, the bad one waits with its reason, and a second run sends that one alone', async () => {
    server.options.refuse = (text) => text.includes('kiln42.');
    server.options.fault = (_, count) =>
      count === 3
        ? { status: 429, headers: { 'retry-after': '1' } }
        : count === 5
          ? { status: 500 }
          : count === 6
            ? 'html'
            : count === 9
              ? 'empty-body'
              : undefined;
    const path = join(tempFolder(), 'corvid.db');
    const memory = await open({ path, embedder: at({ maxBatch: 8 }) });
    const folder = folderOf(100);
    expect(await memory.ingest(folder)).toMatchObject({ added: 100, skipped: [] });
    await memory.drain();
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 99, pending: 1, failed: 1 });
    expect(Object.values(await reasons(memory))).toEqual([expect.stringContaining('invalid input')]);
    expect((await memory.search('kiln42', { streams: ['lexical'] })).hits[0]?.text).toContain('kiln42.');
    const limited = server.requests[2]!;
    const again = server.requests.slice(3).find((request) => request.inputs[0] === limited.inputs[0]);
    expect(again!.at - limited.at).toBeGreaterThanOrEqual(990);
    for (const i of [0, 41, 43, 99]) {
      const { hits } = await memory.search(
        `Doc ${i}\nDoc ${i}\n# Doc ${i}\n\nreading of kiln${i}.`,
        byVector,
      );
      expect(hits[0]?.text, `doc ${i}`).toContain(`kiln${i}.`);
    }

    const sent = server.inputs.length;
    await memory.ingest(folder);
    await memory.drain();
    // Not even the bad one before its time; when it is asked for, it alone is sent.
    const unasked = server.inputs.slice(sent);
    expect(unasked.every((text) => text.includes('kiln42.'))).toBe(true);
    await memory.embed();
    await memory.close();
    const reopened = await open({ path, embedder: at({ maxBatch: 8 }) });
    await reopened.embed();
    const later = server.inputs.slice(sent);
    expect(later.length).toBeGreaterThan(0);
    expect(later.every((text) => text.includes('kiln42.'))).toBe(true);
    server.options.refuse = () => false;
    expect(await reopened.embed()).toMatchObject({ embedded: 100, pending: 0, failed: 0 });
    await reopened.close();
  });

  it('a wrong key is not tried again and stops the run; with the right one it goes on where it was', async () => {
    server.options.key = 'right';
    const path = join(tempFolder(), 'corvid.db');
    const wrong = await open({
      path,
      embedder: at({ provider: 'openai', apiKey: 'secret-wrong', maxBatch: 8 }),
    });
    await wrong.ingest(folderOf(100));
    await wrong.drain();
    expect((await wrong.status()).embeddings).toMatchObject({ embedded: 0, pending: 100, failed: 16 });
    // Not one request a text, nor one a batch and try: what runs at the same time may meet it twice a round.
    expect(server.requests.length).toBeLessThanOrEqual(16);
    expect(server.requests.every((request) => request.inputs.length > 1)).toBe(true);
    expect(JSON.stringify(await reasons(wrong))).not.toContain('secret-wrong');
    await wrong.close();
    const right = await open({ path, embedder: at({ provider: 'openai', apiKey: 'right', maxBatch: 8 }) });
    expect(await right.embed()).toMatchObject({ embedded: 100, pending: 0, failed: 0 });
    await right.close();
  });
});

describe('V14 a text longer than the window of the model', () => {
  /** A letter or digit is a part of a token, every other sign a token or two. */
  const tokens = (text: string) =>
    [...text].reduce((sum, sign) => sum + (/[a-z0-9\s]/i.test(sign) ? 0.25 : 1.5), 0);
  const TOO_LONG = 'input length exceeds the context length';

  function window(most: number, status = 400): void {
    server.options.fault = (request) =>
      request.inputs.some((text) => tokens(text) > most) ? { status, message: TOO_LONG } : undefined;
  }

  it('60 000 characters with the words in the last line: the tail is found by its vector', async () => {
    window(2048);
    const filler = Array.from(
      { length: 1200 },
      (_, i) => `Reading number ${i} of the old kiln, nothing new.`,
    );
    server.options.dimensions = 128;
    const memory = await tempStore({ embedder: at() });
    await memory.add({ id: 'note', kind: 'document', text: `${filler.join('\n')}\nochre lighthouse` });
    await memory.drain();
    expect((await memory.get('note'))?.text.length).toBeGreaterThan(55_000);
    const { chunks, embeddings } = await memory.status();
    expect(embeddings).toMatchObject({ embedded: chunks, pending: 0, failed: 0 });
    const { hits } = await memory.search('ochre lighthouse', { ...byVector, groupBy: 'chunk' });
    expect(hits[0]).toMatchObject({ id: 'note' });
    expect(hits[0]?.text).toMatch(/ochre lighthouse$/);
    expect(server.requests.every((request) => request.body.truncate === false)).toBe(true);
  });

  it.each([
    ['ollama', 400],
    ['openai', 400],
    ['openai', 413],
    ['ollama', 500],
  ])(
    '3 000 characters of signs: %s refuses with %i, the halves are embedded, and all of it counts',
    async (provider, status) => {
      window(1024, status);
      const dense = `${'{[(<=>)]};'.repeat(140)} ochre ${'|&^%$#@!~+'.repeat(140)} lighthouse ${'"?:*/'.repeat(40)}`;
      expect(dense.length).toBeGreaterThan(3000);
      const memory = await tempStore({ embedder: at({ provider }) });
      await memory.add({ id: 'dense', kind: 'document', text: dense });
      await memory.add({ id: 'plain', kind: 'document', text: 'the kiln is hot' });
      await memory.drain();
      const { chunks, embeddings } = await memory.status();
      expect(embeddings).toMatchObject({ embedded: chunks, pending: 0, failed: 0 });
      // What was accepted is, together, what there is: nothing was cut away.
      const accepted = server.requests.flatMap((request) =>
        request.inputs.some((text) => tokens(text) > 1024) ? [] : request.inputs,
      );
      const held = (text: string) => [...text.replace(/\s/g, '')].sort().join('');
      expect(held(accepted.join(''))).toBe(held(`${dense}the kiln is hot`));
      for (const word of ['ochre', 'lighthouse'])
        expect(await nearest(memory, word)).toMatchObject({ id: 'dense' });
    },
  );

  it('a text that fits in no part waits with the reason, and the others are embedded', async () => {
    server.options.fault = (request) =>
      request.inputs.some((text) => text.includes('#')) ? { status: 400, message: TOO_LONG } : undefined;
    const memory = await storeWith(['the kiln is hot', '#'.repeat(1500)]);
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 1, pending: 1, failed: 1 });
    expect(Object.values(await reasons(memory))).toEqual([expect.stringContaining(TOO_LONG)]);
    expect(server.requests.length).toBeLessThan(50);
  });
});

describe('V15 the prefixes of a model', () => {
  const nomic = [
    'nomic-embed-text',
    'nomic-embed-text:v1.5',
    'hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q4_K_M',
  ];

  it.each(nomic)('%s gets the one of the role, exactly once', async (model) => {
    server.options.dimensions = 768;
    const memory = await storeWith(['x', 'search_query: y', 'search_document: z'], { model });
    await memory.search('x');
    await memory.search('search_query: x');
    expect(server.inputs).toEqual([
      'search_document: x',
      // A text that begins like a prefix is data.
      'search_document: search_query: y',
      'search_document: search_document: z',
      'search_query: x',
      'search_query: search_query: x',
    ]);
    expect((await memory.status()).embeddings.embedded).toBe(3);
  });

  it.each(['all-minilm', 'all-minilm:l6-v2', 'clay'])('%s gets none', async (model) => {
    server.options.dimensions = 384;
    const memory = await storeWith(['x'], { model });
    await memory.search('x');
    await memory.search('search_query: x');
    expect(server.inputs).toEqual(['x', 'x', 'search_query: x']);
  });

  it('the caller may set others, or none', async () => {
    server.options.dimensions = 768;
    const own = await storeWith(['x'], { queryPrefix: 'Q: ', documentPrefix: 'D: ' });
    await own.search('x');
    const none = await storeWith(['x'], { model: 'nomic-embed-text', queryPrefix: '', documentPrefix: '' });
    await none.search('x');
    expect(server.inputs).toEqual(['D: x', 'Q: x', 'x', 'x']);
  });

  it.each([{ documentPrefix: 'passage: ' }, { queryPrefix: 'query: ' }])(
    'vectors made with others (%j) are of another space: not compared, and replaced by reembed',
    async (prefix) => {
      const path = join(tempFolder(), 'corvid.db');
      const before = await open({ path, embedder: at() });
      await before.add({ id: 'a', text: 'the kiln is hot' });
      await before.drain();
      await before.close();
      server.requests.length = 0;
      const memory = await open({ path, embedder: at(prefix) });
      await memory.add({ id: 'b', text: 'the kiln is cold' });
      await memory.drain();
      const found = await memory.search('kiln', { explain: true });
      expect(found.degraded).toMatchObject([{ stream: 'vector', reason: 'stale-vectors' }]);
      expect(found.hits.every((hit) => hit.explanation?.streams.vector === null)).toBe(true);
      expect(server.inputs).toEqual([]);
      expect(await memory.reembed()).toMatchObject({ embedded: 2, pending: 0 });
      expect(server.inputs.sort()).toEqual(
        ['the kiln is cold', 'the kiln is hot'].map((text) => (prefix.documentPrefix ?? '') + text),
      );
      expect((await memory.search('kiln')).degraded).toEqual([]);
      await memory.close();
    },
  );

  it('an embedder of the caller is told the role', async () => {
    const roles: string[] = [];
    const memory = await tempStore({
      embedder: functionEmbedder(
        (texts, kind) => {
          roles.push(kind);
          return texts.map((text) => hashVector(text, 8));
        },
        { model: 'm' },
      ),
    });
    await memory.add({ text: 'x' });
    await memory.drain();
    await memory.search('x');
    expect(roles).toEqual(['document', 'query']);
  });
});
