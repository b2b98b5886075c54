import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateCollection, indexCollection, loadCollection } from '../../src/eval/index.js';
import { birds, collectionFolder } from '../../src/eval/test-support/collection-folder.js';
import { tempFolder, tempStore } from '../support/temp.js';

describe('evaluateCollection', () => {
  it('measures judged queries only, together and by category', async () => {
    const result = await evaluateCollection(collectionFolder());
    expect(result.queries).toBe(3);
    expect(result.metrics).toEqual({
      'ndcg@10': 1,
      'recall@5': 1,
      'recall@10': 1,
      'recall@100': 1,
      'mrr@10': 1,
      map: 1,
    });
    expect(Object.entries(result.byCategory).map(([name, { queries }]) => [name, queries])).toEqual([
      ['habit', 2],
      ['place', 1],
    ]);
    expect(result.perQuery.map(({ query }) => query)).toEqual(['q1', 'q2', 'q3']);
    expect([...result.run.keys()]).toEqual(['q1', 'q2', 'q3']);
    expect(result.latencyMs.p95).toBeGreaterThanOrEqual(result.latencyMs.p50);
    expect(result.latencyMs.p50).toBeGreaterThan(0);
  });

  it('says with which options it measured', async () => {
    const { options } = await evaluateCollection(collectionFolder(), {
      streams: ['lexical'],
      weights: { lexical: 2 },
    });
    expect(options).toMatchObject({
      limit: 100,
      streams: ['lexical'],
      fusion: 'rrf',
      prior: 'off',
      embedder: 'none',
    });
    expect(options.weights.lexical).toBe(2);
  });

  it('asks for as many hits as the limit says', async () => {
    const dir = collectionFolder({
      queries: [{ id: 'q1', text: 'heron jay swifts ravens' }],
      qrels: ['q1\td1\t1'],
    });
    expect((await evaluateCollection(dir)).run.get('q1')).toHaveLength(4);
    expect((await evaluateCollection(dir, { limit: 2 })).run.get('q1')).toHaveLength(2);
  });

  it('lets a query of a scope find the documents of that scope and no others, those of no scope included', async () => {
    const dir = collectionFolder({
      corpus: [
        { id: 'here', text: 'the blue valve leaks', meta: { scope: 'hall-1' } },
        { id: 'there', text: 'the blue valve leaks', meta: { scope: 'hall-2' } },
        { id: 'nowhere', text: 'the blue valve leaks' },
      ],
      queries: [
        { id: 'q1', text: 'blue valve', meta: { scope: 'hall-1' } },
        { id: 'q2', text: 'blue valve' },
      ],
      qrels: ['q1\there\t1', 'q2\tnowhere\t1'],
    });
    const { run } = await evaluateCollection(dir);
    expect(run).toEqual(
      new Map([
        ['q1', ['here']],
        ['q2', ['nowhere']],
      ]),
    );
  });

  it('indexes speaker, date, author and keywords beside the text, and nothing that gives answers away', async () => {
    const meta = {
      speaker: 'Zoltan',
      date: '8 May, 2031',
      author: 'Quist',
      keywords: 'sextant',
      doc: 'almanac',
      session: 'brunch',
    };
    const words = ['Zoltan', 'May', 'Quist', 'sextant', 'almanac', 'brunch', 'harbour', 'riddle'];
    const dir = collectionFolder({
      corpus: [{ id: 'd1', text: 'a boat in the harbour', meta }],
      queries: words.map((text) => ({ id: text, text, meta: { answer: 'riddle' } })),
      qrels: words.map((word) => `${word}\td1\t1`),
    });
    const { run } = await evaluateCollection(dir);
    expect(words.filter((word) => run.get(word)?.length === 1)).toEqual([
      'Zoltan',
      'May',
      'Quist',
      'sextant',
      'harbour',
    ]);
  });

  it('keeps documents with the same text apart', async () => {
    const dir = collectionFolder({
      corpus: ['a', 'b', 'c'].map((id) => ({ id, text: 'one heron' })),
      queries: [{ id: 'q', text: 'heron' }],
      qrels: ['q\tc\t1'],
    });
    expect((await evaluateCollection(dir)).run.get('q')).toEqual(['a', 'b', 'c']);
  });

  it('leaves out documents that hold nothing, and still counts them as relevant', async () => {
    const dir = collectionFolder({
      corpus: [...birds.corpus, { id: 'void', text: '' }],
      qrels: ['q1\td1\t1', 'q1\tvoid\t1'],
    });
    expect((await evaluateCollection(dir)).metrics['recall@100']).toBe(0.5);
  });

  it('gives the same figures and the same run twice', async () => {
    const dir = collectionFolder();
    const [first, second] = [
      await evaluateCollection(dir, { prior: 'on' }),
      await evaluateCollection(dir, { prior: 'on' }),
    ];
    expect(second.run).toEqual(first.run);
    expect(second.perQuery).toEqual(first.perQuery);
  });

  it('removes its store at the end, and after a failure', async () => {
    const storeDir = tempFolder();
    await evaluateCollection(collectionFolder(), { storeDir });
    expect(readdirSync(storeDir)).toEqual([]);
    const stop = new AbortController();
    let seen = -1;
    const failing = evaluateCollection(collectionFolder(), {
      storeDir,
      signal: stop.signal,
      onProgress: () => {
        seen = readdirSync(storeDir).length;
        stop.abort();
      },
    });
    await expect(failing).rejects.toMatchObject({ code: 'aborted' });
    expect(seen).toBe(1);
    expect(readdirSync(storeDir)).toEqual([]);
  });

  it('refuses a stream that is not there before it makes a store', async () => {
    const storeDir = tempFolder();
    const seen: string[] = [];
    await expect(
      evaluateCollection(collectionFolder(), {
        streams: ['graph'],
        storeDir,
        onProgress: ({ phase }) => seen.push(phase),
      }),
    ).rejects.toMatchObject({ code: 'unknown-stream', exitCode: 2 });
    expect(seen).toEqual([]);
  });

  it('says that the folder for its store does not exist', async () => {
    const storeDir = join(tempFolder(), 'missing');
    await expect(evaluateCollection(collectionFolder(), { storeDir })).rejects.toMatchObject({ code: 'io' });
    mkdirSync(storeDir);
    await expect(evaluateCollection(collectionFolder(), { storeDir })).resolves.toMatchObject({ queries: 3 });
  });
});

describe('indexCollection', () => {
  it('stores documents under their ids, in the room of their scope', async () => {
    const dir = collectionFolder({
      corpus: [{ id: 'd1', text: 'hello', meta: { scope: 'hall', author: 'Quist' } }],
    });
    const memory = await tempStore();
    expect(await indexCollection(memory, loadCollection(dir))).toBe(1);
    expect(await memory.get('d1')).toBeNull();
    expect(await memory.get('d1', { viewer: { rooms: ['hall'] } })).toMatchObject({
      id: 'd1',
      kind: 'document',
      author: 'Quist',
      scope: { visibility: 'room', room: 'hall' },
    });
  });
});
