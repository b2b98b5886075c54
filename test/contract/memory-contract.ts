import { describe, expect, it } from 'vitest';
import { CorvidError, type Memory, type NewItem } from '../../src/index.js';

/** How a suite gets a fresh store. The clock starts at `start` and moves by `advance`. */
export interface Subject {
  memory: Memory;
  advance(ms: number): void;
}

export const start = Date.UTC(2031, 6, 19, 12);
const DAY = 86_400_000;

/** The behaviour of `Memory`, whoever implements it: engine, client, or fake. */
export function memoryContract(name: string, create: () => Promise<Subject>): void {
  const codeOf = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(CorvidError);
    return (error as CorvidError).code;
  };
  const found = async (memory: Memory, text: string, o: Parameters<Memory['search']>[1] = {}) =>
    (await memory.search(text, o)).hits.map((hit) => hit.id);

  describe(`${name}: adding and reading`, () => {
    it('an item comes back as it was given, with every default filled in', async () => {
      const { memory } = await create();
      const { id, status } = await memory.add({ text: 'Oz prefers dark mode' });
      expect(status).toBe('added');
      expect(await memory.get(id)).toEqual({
        id,
        kind: 'memory',
        title: null,
        text: 'Oz prefers dark mode',
        uri: null,
        source: null,
        scope: { workspace: 'default', project: 'default', visibility: 'global', user: '', room: '' },
        state: 'active',
        importance: 0.5,
        strength: 1,
        accesses: 0,
        lastAccess: null,
        createdAt: start,
        updatedAt: start,
        occurredAt: null,
        expiresAt: null,
        archivedAt: null,
        supersededBy: null,
        supersededAt: null,
        pinned: false,
        tags: [],
        speaker: null,
        author: null,
        keywords: [],
        date: null,
        meta: {},
        chunks: 1,
      });
    });

    it('every field that can be given is kept', async () => {
      const { memory } = await create();
      const given: NewItem = {
        id: 'full',
        kind: 'message',
        title: 'Kiln',
        text: 'line one\r\nline two',
        uri: 'chat/1',
        source: 'chat',
        importance: 0.9,
        strength: 2,
        createdAt: start - DAY,
        occurredAt: '2031-07-01T10:00:00+02:00',
        expiresAt: start + DAY,
        pinned: true,
        tags: ['a', 'b'],
        speaker: 'Ann',
        author: 'Bo',
        keywords: ['k'],
        date: '1 July',
        meta: { nested: { list: [1, null, 'x'] } },
      };
      await memory.add(given);
      expect(await memory.get('full')).toMatchObject({ ...given, occurredAt: Date.UTC(2031, 6, 1, 8) });
    });

    it('an id that exists is replaced, and the same content again changes nothing', async () => {
      const { memory, advance } = await create();
      expect((await memory.add({ id: 'a', text: 'copper boiler' })).status).toBe('added');
      advance(1000);
      expect((await memory.add({ id: 'a', text: 'copper boiler' })).status).toBe('unchanged');
      expect((await memory.get('a'))!.updatedAt).toBe(start);
      expect((await memory.add({ id: 'a', text: 'steel boiler' })).status).toBe('updated');
      expect(await memory.get('a')).toMatchObject({
        text: 'steel boiler',
        createdAt: start,
        updatedAt: start + 1000,
      });
      expect(await found(memory, 'copper')).toEqual([]);
      expect(await found(memory, 'steel')).toEqual(['a']);
    });

    it('ids may be safe integers and bigints, and mean their decimal string', async () => {
      const { memory } = await create();
      await memory.add({ id: 42, text: 'by number' });
      await memory.add({ id: 9_007_199_254_740_993n, text: 'by bigint' });
      expect((await memory.get('42'))!.text).toBe('by number');
      expect((await memory.get(9_007_199_254_740_993n))!.text).toBe('by bigint');
      expect(await codeOf(memory.add({ id: 1.5, text: 'x' }))).toBe('invalid-argument');
      expect(await codeOf(memory.add({ id: 2 ** 53, text: 'x' }))).toBe('invalid-argument');
      expect(await codeOf(memory.add({ id: '', text: 'x' }))).toBe('invalid-argument');
    });

    it('an item with only a title is found by it', async () => {
      const { memory } = await create();
      await memory.add({ id: 't', kind: 'document', title: 'Glaze recipes' });
      expect(await found(memory, 'glaze')).toEqual(['t']);
    });

    it('an item with neither text nor title, and every field of a wrong type or range, is refused by name', async () => {
      const { memory } = await create();
      const bad: [unknown, string][] = [
        [{}, 'text'],
        [{ text: '   ' }, 'text'],
        [{ text: 5 }, 'text'],
        [{ text: 'x', importance: 2 }, 'importance'],
        [{ text: 'x', importance: Number.NaN }, 'importance'],
        [{ text: 'x', strength: 0 }, 'strength'],
        [{ text: 'x', kind: 'thing' }, 'kind'],
        [{ text: 'x', occurredAt: 'yesterday' }, 'occurredAt'],
        [{ text: 'x', occurredAt: '2031-07-19T10:00' }, 'occurredAt'],
        [{ text: 'x', tags: 'a' }, 'tags'],
        [{ text: 'x', scope: { visibility: 'personal' } }, 'scope.user'],
        [{ text: 'x', scope: { visibility: 'room' } }, 'scope.room'],
      ];
      for (const [item, field] of bad) {
        await expect(memory.add(item as NewItem), JSON.stringify(item)).rejects.toThrow(field);
      }
      await expect(memory.add({ text: 'x', importence: 1 } as NewItem)).rejects.toMatchObject({
        code: 'unknown-option',
        hint: expect.stringContaining('"importance"'),
      });
      expect((await memory.list()).items).toEqual([]);
    });

    it('addMany keeps order, counts progress, and keeps nothing of a batch that fails', async () => {
      const { memory } = await create();
      const progress: number[] = [];
      const items = Array.from({ length: 25 }, (_, i) => ({ id: `i${i}`, text: `kiln ${i}` }));
      const results = await memory.addMany(items, {
        batchSize: 10,
        onProgress: (p) => progress.push(p.done),
      });
      expect(results.map((r) => r.id)).toEqual(items.map((i) => i.id));
      expect(progress).toEqual([10, 20, 25]);
      const failing = [
        { id: 'new1', text: 'x' },
        { id: 'new2', text: 'y', importance: 7 },
      ];
      expect(await codeOf(memory.addMany(failing))).toBe('invalid-argument');
      expect(await memory.get('new1')).toBeNull();
    });

    it('addMany takes an asynchronous source and stops at the signal, with whole batches kept', async () => {
      const { memory } = await create();
      const controller = new AbortController();
      async function* source() {
        for (let i = 0; i < 100; i++) {
          if (i === 25) controller.abort();
          yield { id: `i${i}`, text: `kiln ${i}` };
        }
      }
      expect(await codeOf(memory.addMany(source(), { batchSize: 10, signal: controller.signal }))).toBe(
        'aborted',
      );
      expect((await memory.status()).items.total).toBe(20);
    });
  });

  describe(`${name}: changing`, () => {
    it('update changes the given fields only, and null clears', async () => {
      const { memory, advance } = await create();
      await memory.add({ id: 'a', title: 'Boiler', text: 'copper', tags: ['x'], importance: 0.9 });
      advance(5);
      const item = await memory.update('a', { text: 'steel', title: null, pinned: true });
      expect(item).toMatchObject({
        title: null,
        text: 'steel',
        tags: ['x'],
        importance: 0.9,
        pinned: true,
        updatedAt: start + 5,
      });
      expect(await found(memory, 'copper boiler')).toEqual([]);
      expect(await codeOf(memory.update('a', { text: null }))).toBe('invalid-argument');
      expect(await codeOf(memory.update('none', { text: 'x' }))).toBe('not-found');
    });

    it('an archived item is out of search and list, is still there for get, and comes back', async () => {
      const { memory } = await create();
      await memory.add({ id: 'a', text: 'copper boiler' });
      expect((await memory.archive('a')).state).toBe('archived');
      expect(await found(memory, 'boiler')).toEqual([]);
      expect((await memory.list()).items).toEqual([]);
      expect(await found(memory, 'boiler', { include: ['archived'] })).toEqual(['a']);
      expect((await memory.list({ include: ['archived'] })).items).toHaveLength(1);
      expect((await memory.get('a'))!.state).toBe('archived');
      expect((await memory.restore('a')).state).toBe('active');
      expect(await found(memory, 'boiler')).toEqual(['a']);
      expect(await codeOf(memory.archive('none'))).toBe('not-found');
    });

    it('an expired item is out of search from that instant on', async () => {
      const { memory, advance } = await create();
      await memory.add({ id: 'a', text: 'parking permit', expiresAt: start + 1000 });
      expect(await found(memory, 'permit')).toEqual(['a']);
      advance(1000);
      expect(await found(memory, 'permit')).toEqual([]);
      expect(await found(memory, 'permit', { include: ['expired'] })).toEqual(['a']);
      expect((await memory.get('a'))!.state).toBe('expired');
    });

    it('asOf searches what was current at that instant', async () => {
      const { memory, advance } = await create();
      await memory.add({ id: 'a', text: 'the gate code' });
      advance(1000);
      await memory.archive('a');
      await memory.add({ id: 'b', text: 'the gate code' });
      expect(await found(memory, 'gate', { asOf: start + 500 })).toEqual(['a']);
      expect(await found(memory, 'gate', { asOf: start + 1500 })).toEqual(['b']);
      expect(await found(memory, 'gate', { asOf: start - 1 })).toEqual([]);
    });

    it('a removed item is gone, and removing it again says so', async () => {
      const { memory } = await create();
      await memory.add({ id: 'a', text: 'copper boiler' });
      expect(await memory.remove('a')).toEqual({ id: 'a', removed: true });
      expect(await memory.get('a')).toBeNull();
      expect(await memory.remove('a')).toEqual({ id: 'a', removed: false });
      await memory.add({ id: 'b', text: 'copper boiler' });
      expect(await memory.forget('b')).toEqual({ id: 'b', removed: true, erased: true });
    });
  });

  describe(`${name}: searching`, () => {
    it('a hit shows the passage, where it is, and what matched', async () => {
      const { memory } = await create();
      await memory.add({
        id: 'a',
        kind: 'document',
        title: 'Glazes',
        text: 'Celadon is a green glaze.',
        uri: 'g.md',
      });
      const { hits, linked, degraded, timings } = await memory.search('celadon');
      expect(hits).toHaveLength(1);
      expect(hits[0]).toMatchObject({
        id: 'a',
        kind: 'document',
        title: 'Glazes',
        uri: 'g.md',
        text: 'Celadon is a green glaze.',
        chunk: { ordinal: 0, start: 0, end: 25, headingPath: [] },
        snippet: { text: 'Celadon is a green glaze.', highlights: [[0, 7]] },
        createdAt: start,
        occurredAt: null,
      });
      expect(hits[0]!.score).toBeGreaterThan(0);
      expect(hits[0]!.score).toBeLessThanOrEqual(1);
      expect(hits[0]!.explanation).toBeUndefined();
      expect([linked, degraded]).toEqual([[], []]);
      expect(timings.totalMs).toBeGreaterThanOrEqual(0);
    });

    it('filters act on kind, tags, source, dates and visibility', async () => {
      const { memory } = await create();
      await memory.addMany([
        { id: 'memory', text: 'kiln', tags: ['hot', 'red'] },
        { id: 'note', kind: 'note', text: 'kiln', tags: ['hot'], occurredAt: start - 10 * DAY },
        { id: 'doc', kind: 'document', text: 'kiln', source: 'manual', createdAt: start - 5 * DAY },
        { id: 'mine', text: 'kiln', scope: { user: 'ann' } },
      ]);
      const viewer = { user: 'ann' };
      const search = async (filter: object) => (await found(memory, 'kiln', { viewer, filter })).sort();
      expect(await search({})).toEqual(['doc', 'memory', 'mine', 'note']);
      expect(await search({ kinds: ['note', 'document'] })).toEqual(['doc', 'note']);
      expect(await search({ tags: ['hot'] })).toEqual(['memory', 'note']);
      expect(await search({ tags: ['hot', 'red'] })).toEqual(['memory']);
      expect(await search({ source: 'manual' })).toEqual(['doc']);
      expect(await search({ source: ['manual', 'none'] })).toEqual(['doc']);
      expect(await search({ source: 'none' })).toEqual([]);
      expect(await search({ after: start - 6 * DAY })).toEqual(['doc', 'memory', 'mine']);
      expect(await search({ before: start - 6 * DAY })).toEqual(['note']);
      expect(await search({ visibilities: ['personal'] })).toEqual(['mine']);
      expect((await memory.list({ viewer, filter: { kinds: ['note'] } })).items.map((i) => i.id)).toEqual([
        'note',
      ]);
    });

    it('limits, offsets and options that make no sense are refused by name', async () => {
      const { memory } = await create();
      for (const limit of [0, -1, 2.5, '10', Number.NaN, 1e9, null]) {
        await expect(memory.search('x', { limit } as object), String(limit)).rejects.toThrow('limit');
      }
      expect(await codeOf(memory.search('x', { limmit: 3 } as object))).toBe('unknown-option');
      expect(await codeOf(memory.search('x', { offset: -1 }))).toBe('invalid-argument');
      expect(await codeOf(memory.search(5 as unknown as string))).toBe('invalid-argument');
      expect(await codeOf(memory.search('x', { signal: AbortSignal.abort() }))).toBe('aborted');
    });

    it('pages of identical items hold every item once, in an order that stays', async () => {
      const { memory } = await create();
      await memory.addMany(
        Array.from({ length: 30 }, (_, i) => ({
          id: `same${i}`,
          kind: 'document' as const,
          text: 'the same text',
        })),
      );
      const pages = [];
      for (let offset = 0; offset < 30; offset += 10)
        pages.push(...(await found(memory, 'same text', { offset, limit: 10 })));
      expect(new Set(pages).size).toBe(30);
      for (let i = 0; i < 10; i++) expect(await found(memory, 'same text', { limit: 30 })).toEqual(pages);
    });

    it('an explanation names every stream, adds up to the score, and does not change the order', async () => {
      const { memory } = await create();
      await memory.addMany(
        Array.from({ length: 20 }, (_, i) => ({
          id: `i${i}`,
          kind: 'document' as const,
          text: `kiln ${'ash '.repeat(i)}`,
        })),
      );
      const plain = await memory.search('kiln ash');
      const explained = await memory.search('kiln ash', { explain: true });
      expect(explained.hits.map((h) => h.id)).toEqual(plain.hits.map((h) => h.id));
      for (const hit of explained.hits) {
        const { streams, fused, prior, final } = hit.explanation!;
        expect(Object.keys(streams)).toEqual(['lexical', 'exact', 'vector', 'entity', 'graph']);
        const sum = Object.values(streams).reduce((total, stream) => total + (stream?.contribution ?? 0), 0);
        expect(sum).toBe(fused);
        expect(fused * prior.factor).toBe(final);
      }
    });

    it('scores never rise down the page', async () => {
      const { memory } = await create();
      await memory.addMany(
        Array.from({ length: 20 }, (_, i) => ({
          id: `i${i}`,
          kind: 'document' as const,
          text: `kiln ${'ash '.repeat(i % 6)}`,
        })),
      );
      const scores = (await memory.search('kiln ash', { limit: 20 })).hits.map((hit) => hit.score);
      for (let i = 1; i < scores.length; i++) expect(scores[i]).toBeLessThanOrEqual(scores[i - 1]!);
    });
  });

  describe(`${name}: who sees what`, () => {
    const everyone = async () => {
      const subject = await create();
      await subject.memory.addMany([
        { id: 'A', text: 'ann takes the 7:10 ferry', scope: { user: 'ann' } },
        { id: 'B', text: 'bob pays for the ferry', scope: { user: 'bob' } },
        { id: 'R', text: 'the ferry of room one', scope: { room: 'r1' } },
        { id: 'S', text: 'the ferry of room two', scope: { room: 'r2' } },
        { id: 'G', text: 'the ferry runs on Sundays' },
        { id: 'P', text: 'the ferry of another project', scope: { project: 'other' } },
        { id: 'Z', text: 'the ferry of all projects', scope: { project: '_global' } },
      ]);
      await subject.memory.add({
        id: 'W',
        text: 'the ferry of another workspace',
        scope: { workspace: 'w2' },
      });
      return subject.memory;
    };

    it('bob in room r1 sees his own, the room and what is for all', async () => {
      const memory = await everyone();
      const viewer = { user: 'bob', rooms: ['r1'] };
      expect((await found(memory, 'ferry', { viewer })).sort()).toEqual(['B', 'G', 'R', 'Z']);
      expect((await memory.list({ viewer })).items.map((i) => i.id).sort()).toEqual(['B', 'G', 'R', 'Z']);
      expect((await memory.status({ viewer })).items.total).toBe(4);
    });

    it('nobody in particular, and names that only look like a user, see what is for all', async () => {
      const memory = await everyone();
      for (const user of [undefined, '', null, 'ann\u0000', 'Ann', '%', '*']) {
        const viewer = { user } as object;
        expect((await found(memory, 'ferry', { viewer })).sort(), String(user)).toEqual(['G', 'Z']);
        expect((await memory.status({ viewer })).items.total).toBe(2);
        expect(await memory.get('A', { viewer })).toBeNull();
      }
    });

    it('another project and another workspace are separate', async () => {
      const memory = await everyone();
      expect((await found(memory, 'ferry', { viewer: { project: 'other' } })).sort()).toEqual(['P', 'Z']);
      expect((await found(memory, 'ferry', { viewer: { project: ['other', 'default'] } })).sort()).toEqual([
        'G',
        'P',
        'Z',
      ]);
      expect(await found(memory, 'ferry', { viewer: { workspace: 'w2' } })).toEqual(['W']);
    });

    it('what is not visible cannot be changed, and the error is that of an item that does not exist', async () => {
      const memory = await everyone();
      const viewer = { user: 'bob' };
      const messages = await Promise.all(
        ['A', 'S', 'W', 'nothing'].map((id) =>
          memory.update(id, { text: 'x' }, { viewer }).then(
            () => 'changed',
            (e: Error) => e.message.replace(id, 'ID'),
          ),
        ),
      );
      expect(new Set(messages).size).toBe(1);
      expect(messages[0]).toContain('There is no item');
      expect(await memory.remove('A', { viewer })).toEqual({ id: 'A', removed: false });
      expect((await memory.get('A', { viewer: { user: 'ann' } }))!.text).toContain('ann');
      expect(await codeOf(memory.add({ id: 'A', text: 'taken over' }, { viewer }))).toBe('id-conflict');
    });
  });

  describe(`${name}: listing and closing`, () => {
    it('pages through everything, newest first', async () => {
      const { memory, advance } = await create();
      for (let i = 0; i < 7; i++) {
        await memory.add({ id: `i${i}`, text: `item ${i}` });
        advance(i % 2);
      }
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<Memory['list']>> = await memory.list({
          limit: 3,
          ...(cursor ? { cursor } : {}),
        });
        seen.push(...page.items.map((i) => i.id));
        cursor = page.cursor;
      } while (cursor !== null);
      expect(seen).toEqual(['i6', 'i5', 'i4', 'i3', 'i2', 'i1', 'i0']);
      expect(await codeOf(memory.list({ cursor: 'nonsense' }))).toBe('invalid-argument');
    });

    it('a closed store says so', async () => {
      const { memory } = await create();
      await memory.close();
      await memory.close();
      expect(await codeOf(memory.search('x'))).toBe('closed');
      expect(await codeOf(memory.add({ text: 'x' }))).toBe('closed');
    });
  });
}
