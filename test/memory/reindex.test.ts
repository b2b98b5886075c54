import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { open } from '../../src/index.js';
import { checkFile } from '../support/check-index.js';
import { addAll, ids, tempFolder } from '../support/temp.js';

/** A store whose index rows are of another analyzer: each holds the word "quondam" and none of its text. */
async function indexedBy(version: number, count = 120): Promise<string> {
  const path = join(tempFolder(), 'corvid.db');
  const memory = await open({ path });
  await addAll(
    memory,
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, `the beacon of reef ${i}`])),
  );
  await memory.close();
  edit(path, (db) => {
    db.prepare("UPDATE lexical SET body = 'quondam'").run();
    db.prepare('UPDATE chunks SET analyzer_version = ?').run(version);
    db.prepare("DELETE FROM settings WHERE name = 'indexed_by_analyzer'").run();
  });
  return path;
}

function edit<T>(path: string, call: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return call(db);
  } finally {
    db.close();
  }
}

const versions = (path: string) =>
  edit(path, (db) => db.prepare('SELECT DISTINCT analyzer_version FROM chunks').pluck().all());

describe('rows of an older analyzer', () => {
  it('answer at once, and are made anew in the background', async () => {
    const path = await indexedBy(0);
    const memory = await open({ path });
    expect(await ids(memory, 'quondam', { limit: 1 })).toHaveLength(1);
    expect(await ids(memory, 'beacon')).toEqual([]);
    await memory.drain();
    expect(await ids(memory, 'quondam')).toEqual([]);
    expect((await ids(memory, 'beacon', { limit: 200 })).length).toBe(120);
    const { analyzerVersion } = await memory.status();
    await memory.close();
    expect(versions(path)).toEqual([analyzerVersion]);
    checkFile(path);
  });

  it('are gone on with where a closed store left off', async () => {
    const path = await indexedBy(0);
    const first = await open({ path });
    while ((versions(path) as number[]).length === 1) await new Promise((resolve) => setImmediate(resolve));
    await first.close();
    expect(versions(path)).toHaveLength(2);
    const second = await open({ path });
    await second.drain();
    expect(await ids(second, 'quondam')).toEqual([]);
    await second.close();
    expect(versions(path)).toHaveLength(1);
  });

  it('wait while another process writes, and searches do not', async () => {
    const path = await indexedBy(0, 20);
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const memory = await open({ path, busyTimeoutMs: 60_000 });
    expect(await ids(memory, 'quondam', { limit: 1, touch: false })).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(await ids(memory, 'quondam', { limit: 1, touch: false })).toHaveLength(1);
    other.exec('COMMIT');
    other.close();
    await memory.drain();
    expect(await ids(memory, 'beacon', { limit: 1 })).toHaveLength(1);
    await memory.close();
  });

  it('are found again when a process of that analyzer wrote them after all was up to date', async () => {
    const path = await indexedBy(0, 3);
    const memory = await open({ path });
    await memory.drain();
    await memory.close();
    // What the older process leaves: its rows, and its own version as the one that all rows have at least.
    edit(path, (db) => {
      db.prepare("UPDATE lexical SET body = 'quondam'").run();
      db.prepare('UPDATE chunks SET analyzer_version = 0').run();
      db.prepare("UPDATE settings SET value = '0' WHERE name = 'indexed_by_analyzer'").run();
    });
    const again = await open({ path });
    await again.drain();
    expect(await ids(again, 'beacon')).toHaveLength(3);
    await again.close();
  });

  it('keep their vectors and cost no call of the embedder', async () => {
    const texts: string[] = [];
    const embedder = {
      id: 'test:counting',
      space: { provider: 'test', model: 'counting', dimensions: 2 },
      embed: async (given: readonly string[]) => {
        texts.push(...given);
        return given.map(() => Float32Array.of(1, 0));
      },
    };
    const path = join(tempFolder(), 'corvid.db');
    const memory = await open({ path, embedder });
    await addAll(memory, { a: 'the beacon of the reef', b: 'a lamp' });
    await memory.drain();
    await memory.close();
    edit(path, (db) => {
      db.prepare('UPDATE chunks SET analyzer_version = 0').run();
      db.prepare("UPDATE settings SET value = '0' WHERE name = 'indexed_by_analyzer'").run();
    });
    const again = await open({ path, embedder });
    await again.drain();
    expect((await again.status()).embeddings).toMatchObject({ embedded: 2, pending: 0 });
    await again.close();
    expect(texts).toHaveLength(2);
  });
});

it('rows of a newer analyzer are left as they are', async () => {
  const path = await indexedBy(999, 3);
  const memory = await open({ path });
  await memory.drain();
  expect(await ids(memory, 'quondam')).toHaveLength(3);
  await memory.close();
  expect(versions(path)).toEqual([999]);
});

it('a store that is opened for reading only is not written to', async () => {
  const path = await indexedBy(0, 3);
  const memory = await open({ path, readOnly: true });
  await memory.drain();
  expect(await ids(memory, 'quondam')).toHaveLength(3);
  await memory.close();
  expect(versions(path)).toEqual([0]);
});
