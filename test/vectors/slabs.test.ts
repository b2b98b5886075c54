import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { quantise } from '../../src/core/vector/quantise.js';
import { unitVector } from '../../src/core/vector/unit-vector.js';
import { functionEmbedder, type Memory, open } from '../../src/index.js';
import { tempFolder, tempStore } from '../support/temp.js';

const COUNT = 4200;
const WIDTH = 24;

/** Each number in a text pulls in a direction of its own. */
const embedder = () =>
  functionEmbedder((texts) => texts.map((text) => direction(Number(/\d+/.exec(text)?.[0]))), {
    model: 'directions',
    dimensions: WIDTH,
  });

function direction(n: number): number[] {
  return Array.from({ length: WIDTH }, (_, i) => Math.sin((n + 1) * (i + 1) * 0.7) + 0.01 * i);
}

async function filled(): Promise<string> {
  const path = join(tempFolder(), 'corvid.db');
  const memory = await open({ path, embedder: embedder() });
  await memory.addMany(
    Array.from({ length: COUNT }, (_, i) => ({
      id: `n${i}`,
      kind: 'document' as const,
      text: `number ${i}`,
    })),
  );
  await memory.drain();
  await memory.close();
  return path;
}

function inFile<T>(path: string, call: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(path);
  try {
    return call(db);
  } finally {
    db.close();
  }
}

const slabs = (path: string) =>
  inFile(path, (db) => db.prepare('SELECT n FROM slabs ORDER BY n').pluck().all() as number[]);

const nearest = async (memory: Memory, n: number, limit = 5) =>
  (await memory.search(`number ${n}`, { streams: ['vector'], prior: 'off', touch: false, limit })).hits.map(
    (hit) => hit.id,
  );

describe('slabs', () => {
  it('are written when a store of many vectors is drained, and answer as the vectors themselves do', async () => {
    const path = await filled();
    expect(slabs(path)).toEqual([0, 1, 2, 3, 4]);
    const fast = await tempStore({ path, embedder: embedder() });
    const withSlabs = await Promise.all([3, 77, 4000].map((n) => nearest(fast, n)));
    await fast.close();
    inFile(path, (db) => db.exec('DELETE FROM slabs'));
    const slow = await tempStore({ path, embedder: embedder() });
    expect(await Promise.all([3, 77, 4000].map((n) => nearest(slow, n)))).toEqual(withSlabs);
    expect(withSlabs.map((ids) => ids[0])).toEqual(['n3', 'n77', 'n4000']);
  });

  it('are read instead of the vectors, which decide among the first hits alone', async () => {
    const path = await filled();
    const before = await tempStore({ path, embedder: embedder() });
    const order = await nearest(before, 3, 250);
    await before.close();
    const wipe = (rank: number) =>
      inFile(path, (db) =>
        db.exec(
          `UPDATE embeddings SET vector = zeroblob(length(vector)) WHERE chunk = ${Number(order[rank]!.slice(1)) + 1}`,
        ),
      );
    wipe(200);
    wipe(5);
    const memory = await tempStore({ path, embedder: embedder() });
    const after = await nearest(memory, 3, 250);
    expect(after).toContain(order[200]);
    expect(after).not.toContain(order[5]);
  });

  it('miss nothing that was written after them', async () => {
    const path = await filled();
    const memory = await open({ path, embedder: embedder() });
    await memory.add({ id: 'n9', kind: 'document', text: 'number 6000' });
    await memory.add({ id: 'new', kind: 'document', text: 'number 7000' });
    await memory.remove('n10');
    await memory.archive('n11');
    await memory.embed();
    await memory.close();
    const again = await tempStore({ path, embedder: embedder() });
    expect((await nearest(again, 6000))[0]).toBe('n9');
    expect((await nearest(again, 7000))[0]).toBe('new');
    for (const gone of [10, 11]) expect(await nearest(again, gone, 50)).not.toContain(`n${gone}`);
  });

  it('miss nothing that is written while they are in use, by this process or another', async () => {
    const path = await filled();
    const memory = await tempStore({ path, embedder: embedder() });
    expect((await nearest(memory, 5))[0]).toBe('n5');
    const other = await tempStore({ path, embedder: embedder() });
    await other.add({ id: 'there', kind: 'document', text: 'number 8000' }, { wait: 'embedded' });
    await other.remove('n5');
    expect((await nearest(memory, 8000))[0]).toBe('there');
    expect(await nearest(memory, 5, 50)).not.toContain('n5');
  });

  it.each([
    ['cut short', 'UPDATE slabs SET vectors = substr(vectors, 1, 100)'],
    ['without scales', "UPDATE slabs SET scales = x''"],
    [
      'of changes that nobody remembers',
      "UPDATE settings SET value = '-5' WHERE name LIKE 'slabs_of_space_%'",
    ],
  ])('that are %s are passed over', async (_, damage) => {
    const path = await filled();
    inFile(path, (db) => db.exec(damage));
    const memory = await tempStore({ path, embedder: embedder() });
    for (const n of [0, 2500, COUNT - 1]) expect((await nearest(memory, n))[0]).toBe(`n${n}`);
  });

  it('hold nothing of a text that is forgotten or replaced, and are made again', async () => {
    const path = await filled();
    const bytes = (n: number) => {
      const numbers = new Int8Array(WIDTH);
      quantise(unitVector(direction(n))!, numbers);
      return Buffer.from(numbers.buffer);
    };
    expect(readFileSync(path).includes(bytes(1500))).toBe(true);
    const memory = await open({ path, embedder: embedder() });
    await memory.forget('n1500');
    await memory.add({ id: 'n3000', kind: 'document', text: 'number 9000' });
    await memory.close();
    expect(readFileSync(path).includes(bytes(1500))).toBe(false);
    expect(readFileSync(path).includes(bytes(3000))).toBe(false);
    expect(slabs(path)).toEqual([0, 3, 4]);
    const again = await open({ path, embedder: embedder() });
    await again.drain();
    await again.close();
    expect(slabs(path)).toEqual([0, 1, 2, 3, 4]);
    expect(readFileSync(path).includes(bytes(3000))).toBe(false);
  });
});
