import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { type Embedder, functionEmbedder, open } from '../../src/index.js';
import { EmbeddingServer } from '../support/embedding-server.js';
import { addAll, ids, tempFolder, tempStore } from '../support/temp.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function embeddingServer(
  o: Parameters<typeof EmbeddingServer.start>[0] = {},
): Promise<EmbeddingServer> {
  const server = await EmbeddingServer.start(o);
  closing.push(() => server.close());
  return server;
}

/** An HTTP server that does what the embedding server of the other tests does not. */
async function httpServer(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const databasePath = () => join(tempFolder(), 'corvid.db');
const on = (url: string, model = 'clay') => ({ provider: 'ollama', model, url });
const vectorSearch = { streams: ['vector'], touch: false } as const;

/** Two numbers a text, which depend on the model's name. */
function byModel(model: string, o: { wait?: () => Promise<void>; texts?: string[] } = {}): Embedder {
  return functionEmbedder(
    async (texts, kind) => {
      if (kind === 'document') {
        await o.wait?.();
        o.texts?.push(...texts);
      }
      return texts.map((text) => [text.length, model.length]);
    },
    { model, maxBatch: 1, dimensions: 2 },
  );
}

describe('a server that redirects', () => {
  it('is not followed: no text reaches a server that was not named', async () => {
    const other = await embeddingServer();
    const url = await httpServer((request, response) => {
      request.resume();
      response.writeHead(307, { location: `${other.url}/api/embed` }).end();
    });
    const memory = await tempStore({ embedder: on(url) });
    await memory.add({ id: 'a', text: 'a secret' }, { wait: 'embedded' });
    expect(other.inputs).toEqual([]);
    expect((await memory.status()).embeddings.lastError).toContain(other.url);
  });
});

describe('an answer that never ends', () => {
  it('is cut off, and not kept in memory until the time limit', async () => {
    let sent = 0;
    let ended = false;
    const url = await httpServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      const block = Buffer.alloc(1 << 20, ' ');
      const pour = () => {
        while (!ended && sent < 400 << 20) {
          sent += block.length;
          if (!response.write(block)) return void response.once('drain', pour);
        }
        response.end('{}');
      };
      response.on('close', () => {
        ended = true;
      });
      pour();
    });
    const memory = await tempStore({ embedder: { ...on(url), timeoutMs: 20_000 } });
    await memory.add({ id: 'a', text: 'a' }, { wait: 'embedded' });
    expect((await memory.status()).embeddings).toMatchObject({ pending: 1, failed: 1 });
    expect(sent).toBeLessThan(100 << 20);
  }, 60_000);
});

describe('a model swapped behind its name', () => {
  it('a question asked before is embedded anew after reembed', async () => {
    const server = await embeddingServer({ dimensions: 16 });
    const memory = await tempStore({ embedder: on(server.url) });
    await memory.add({ id: 'kiln', text: 'the kiln' }, { wait: 'embedded' });
    expect(await ids(memory, 'kiln', vectorSearch)).toEqual(['kiln']);
    server.options = { dimensions: 24 };
    await memory.reembed();
    expect(await ids(memory, 'kiln', vectorSearch)).toEqual(['kiln']);
  });

  it('between two processes, no vector of another width comes into the space', async () => {
    const path = databasePath();
    const server = await embeddingServer({ dimensions: 16, fault: () => ({ delayMs: 50 }) });
    const one = await tempStore({ path, embedder: on(server.url) });
    const two = await tempStore({ path, embedder: on(server.url) });
    await one.add({ id: 'a', text: 'first' }, { wait: 'embedded' });
    server.options = { dimensions: 24 };
    await two.add({ id: 'b', text: 'second' }, { wait: 'embedded' });
    expect((await two.status()).embeddings).toMatchObject({ embedded: 1, pending: 1 });
    expect((await one.search('first', vectorSearch)).degraded[0]?.reason).not.toBe(undefined);
  });
});

describe('a store without any vector', () => {
  it('takes the embedder that it is opened with: nothing is stale', async () => {
    const path = databasePath();
    const server = await embeddingServer({
      fault: ({ model }) => (model === 'mistyped' ? { status: 404 } : undefined),
    });
    const first = await open({ path, embedder: on(server.url, 'mistyped') });
    await first.add({ id: 'kiln', text: 'the kiln' }, { wait: 'embedded' });
    await first.close();
    const memory = await tempStore({ path, embedder: on(server.url, 'typed') });
    await memory.drain();
    const { hits, degraded } = await memory.search('kiln', vectorSearch);
    expect(degraded).toEqual([]);
    expect(hits.map(({ id }) => id)).toEqual(['kiln']);
  });
});

describe('reembed that was interrupted', () => {
  async function interrupted(path: string, model: string): Promise<void> {
    let left = 2;
    const controller = new AbortController();
    const stuck = byModel(model, {
      wait: async () => {
        if (left-- > 0) return;
        controller.abort();
        await new Promise(() => {});
      },
    });
    const memory = await open({ path, embedder: stuck });
    await memory.reembed({ signal: controller.signal }).catch(() => {});
    await memory.close();
  }

  const notes = { a: 'one', b: 'three', c: 'fifteen', d: 'hundreds', e: 'x' };

  it('and begun with another model: the first one leaves nothing behind', async () => {
    const path = databasePath();
    const former = await open({ path, embedder: byModel('A') });
    await addAll(former, notes);
    await former.drain();
    await former.close();
    await interrupted(path, 'BB');
    const memory = await tempStore({ path, embedder: byModel('CCC') });
    expect(await memory.reembed()).toMatchObject({ embedded: 5, pending: 0 });
    expect((await memory.search('three', vectorSearch)).degraded).toEqual([]);
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 5, pending: 0 });
    const former2 = await tempStore({ path, embedder: byModel('BB') });
    expect((await former2.search('three', vectorSearch)).degraded[0]?.reason).toBe('stale-vectors');
  });

  it('says reembedding for the model that is at work, not for the one that was given up', async () => {
    const path = databasePath();
    const former = await open({ path, embedder: byModel('A') });
    await addAll(former, notes);
    await former.drain();
    await former.close();
    await interrupted(path, 'BB');
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const memory = await tempStore({
      path,
      embedder: byModel('CCC', { wait: () => gate }),
      formerEmbedder: byModel('A'),
    });
    const running = memory.reembed();
    const { hits, degraded } = await memory.search('three', { ...vectorSearch, limit: 1 });
    expect(degraded).toMatchObject([{ reason: 'reembedding', done: 0, total: 5 }]);
    expect(hits.length).toBe(1);
    go();
    await running;
  });

  it('and given up for the model that serves: status counts the vectors that serve', async () => {
    const path = databasePath();
    const former = await open({ path, embedder: byModel('A') });
    await addAll(former, notes);
    await former.drain();
    await former.close();
    await interrupted(path, 'BB');
    const memory = await tempStore({ path, embedder: byModel('A') });
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 5, pending: 0 });
  });
});

describe('a process whose space another one replaced', () => {
  it('says so when asked to embed, and does not report that all is done', async () => {
    const path = databasePath();
    const one = await tempStore({ path, embedder: byModel('A') });
    await one.add({ id: 'a', text: 'one' }, { wait: 'embedded' });
    const two = await tempStore({ path, embedder: byModel('BB') });
    await two.reembed();
    await expect(one.embed()).rejects.toMatchObject({ code: 'stale-vectors' });
  });

  it('fills the space of its embedder when that serves again', async () => {
    const path = databasePath();
    const one = await tempStore({ path, embedder: byModel('A') });
    await one.add({ id: 'a', text: 'one' }, { wait: 'embedded' });
    const two = await open({ path, embedder: byModel('BB') });
    await two.reembed();
    await two.close();
    const three = await open({ path, embedder: byModel('A') });
    await three.reembed();
    await three.close();
    await one.add({ id: 'b', text: 'another' }, { wait: 'embedded' });
    expect((await one.search('one', vectorSearch)).degraded).toEqual([]);
    expect((await ids(one, 'one', vectorSearch)).length).toBe(2);
  });
});

describe('an abort signal', () => {
  it.each(['drain', 'embed', 'reembed'] as const)(
    'ends %s, which then does not look as if it were done',
    async (call) => {
      const memory = await tempStore({ embedder: byModel('A', { wait: () => new Promise(() => {}) }) });
      await memory.add({ id: 'a', text: 'one' });
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 20);
      await expect(memory[call]({ signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
    },
  );

  it('ends add that waits for vectors', async () => {
    const memory = await tempStore({ embedder: byModel('A', { wait: () => new Promise(() => {}) }) });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    await expect(
      memory.add({ id: 'a', text: 'one' }, { wait: 'embedded', signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('close', () => {
  it('while texts are embedded: whoever waits is told, and no job is lost', async () => {
    const path = databasePath();
    const memory = await open({ path, embedder: byModel('A', { wait: () => new Promise(() => {}) }) });
    await memory.add({ id: 'a', text: 'one' });
    const calls = [
      memory.embed(),
      memory.drain(),
      memory.add({ id: 'b', text: 'two' }, { wait: 'embedded' }),
    ];
    const outcomes = Promise.allSettled(calls);
    await memory.close();
    for (const outcome of await outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'closed' });
    const again = await tempStore({ path, embedder: byModel('A') });
    expect(await again.embed()).toMatchObject({ embedded: 2, pending: 0 });
  });

  it('while a search waits for the embedder: the search is told', async () => {
    const embedder = functionEmbedder(
      async (texts, kind) => {
        if (kind === 'query') await new Promise((resolve) => setTimeout(resolve, 50));
        return texts.map(() => [1, 0]);
      },
      { model: 'slow' },
    );
    const memory = await open({ path: databasePath(), embedder });
    await memory.add({ id: 'a', text: 'one' }, { wait: 'embedded' });
    const search = memory.search('one');
    const outcome = expect(search).rejects.toMatchObject({ code: 'closed' });
    await memory.close();
    await outcome;
  });
});

describe('what a viewer does not see', () => {
  const space = { provider: 'mine', model: 'm' };

  it("is not told by a query vector: a space of others' items is no space", async () => {
    const memory = await tempStore();
    await memory.add({ id: 'a', text: 'one', embedding: [1, 0], space, scope: { workspace: 'w1' } });
    const viewer = { workspace: 'w2' };
    const found = await memory.search('one', { viewer, queryVector: [1, 0], space, ...vectorSearch });
    expect(found.degraded).toMatchObject([{ stream: 'vector', reason: 'no-such-space' }]);
    const wide = await memory.search('one', { viewer, queryVector: [1, 0, 0], space, ...vectorSearch });
    expect(wide.degraded).toMatchObject([{ stream: 'vector', reason: 'no-such-space' }]);
  });
});

describe('texts', () => {
  it.each(['', '   ', '???', '…—'])(
    'a question without a word (%j) finds nothing by vectors either, with the reason',
    async (text) => {
      const server = await embeddingServer();
      const memory = await tempStore({ embedder: on(server.url) });
      await memory.add({ id: 'a', text: 'one' }, { wait: 'embedded' });
      const { hits, degraded } = await memory.search(text);
      expect(hits).toEqual([]);
      expect(degraded.map(({ reason }) => reason)).toContain('no-terms');
    },
  );

  it('an item without a text, with or without a title, holds nothing up', async () => {
    const memory = await tempStore({ embedder: byModel('A') });
    await memory.add({ id: 'a', text: '' }).catch(() => {});
    await memory.add({ id: 'b', text: ' \n ' }).catch(() => {});
    await memory.add({ id: 'c', title: 'Kiln', text: '' }).catch(() => {});
    await memory.add({ id: 'd', text: '\ud800 half a pair \udc00' });
    await memory.drain();
    expect((await memory.search('kiln', vectorSearch)).degraded).toEqual([]);
    expect((await memory.status()).embeddings).toMatchObject({ pending: 0, failed: 0 });
  });
});

describe('several processes', () => {
  it('what one without an embedder writes is embedded by one that has it open', async () => {
    const path = databasePath();
    const memory = await tempStore({ path, embedder: byModel('A') });
    await memory.add({ id: 'a', text: 'one' }, { wait: 'embedded' });
    const plain = await open(path);
    await plain.add({ id: 'b', text: 'another' });
    await plain.close();
    expect((await memory.search('one', vectorSearch)).degraded).toMatchObject([
      { reason: 'partial', pending: 1 },
    ]);
    await memory.drain();
    expect((await memory.search('one', vectorSearch)).degraded).toEqual([]);
  });

  it('two stores of one process on the same file do not take each other for dead', async () => {
    const path = databasePath();
    const texts: string[] = [];
    const embedder = () =>
      byModel('A', { texts, wait: () => new Promise((resolve) => setTimeout(resolve, 10)) });
    const one = await tempStore({ path, embedder: embedder() });
    await one.addMany(Array.from({ length: 20 }, (_, i) => ({ id: `${i}`, text: 'x'.repeat(i + 1) })));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const two = await tempStore({ path, embedder: embedder() });
    await Promise.all([one.drain(), two.drain()]);
    await Promise.all([one.embed(), two.embed()]);
    expect(new Set(texts).size).toBe(20);
    expect(texts.length).toBe(20);
  });

  it.each([
    ['of another host, an hour ago', 'gone|1|ab', 3_700_000, true],
    ['of another host, just now', 'gone|1|ab', 0, false],
    ['of a process that is no more', null, 0, true],
  ])('jobs held by a worker %s', async (_, lease, ago, free) => {
    const path = databasePath();
    const plain = await open(path);
    await plain.add({ id: 'a', text: 'one' });
    await plain.close();
    const held = await open({ path, embedder: byModel('A', { wait: () => new Promise(() => {}) }) });
    await held.close();

    const db = new Database(path);
    db.prepare('UPDATE embedding_jobs SET lease = ?, not_before = ?').run(
      lease ?? `${hostname()}|999999999|ab`,
      Date.now() - ago,
    );
    db.close();
    const memory = await tempStore({ path, embedder: byModel('A') });
    expect((await memory.embed()).embedded).toBe(free ? 1 : 0);
  });
});
