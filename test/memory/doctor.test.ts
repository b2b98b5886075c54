import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type DoctorReport, type Embedder, open } from '../../src/index.js';
import { checkFile } from '../support/check-index.js';
import { addAll, ids, tempFolder, tempStore } from '../support/temp.js';

const embedder: Embedder = {
  id: 'test:flat',
  space: { provider: 'test', model: 'flat', dimensions: 2 },
  embed: async (texts) => texts.map((text) => Float32Array.of(1, text.length)),
};

const CHECKS = ['file', 'references', 'rows', 'index', 'terms', 'analyzer', 'vectors', 'queue'];

/** A sound store of three documents with vectors, then changed by hand. */
async function storeWith(fault: (db: Database.Database) => void): Promise<string> {
  const path = join(tempFolder(), 'corvid.db');
  const memory = await open({ path, embedder });
  await addAll(memory, {
    a: 'the beacon of the reef',
    b: 'a lamp in the harbour',
    c: { title: 'Ropes', text: 'splices and knots' },
  });
  await memory.drain();
  await memory.close();
  const db = new Database(path);
  db.pragma('foreign_keys = OFF');
  fault(db);
  db.close();
  return path;
}

const failed = (report: DoctorReport) => report.checks.filter(({ ok }) => !ok).map(({ name }) => name);

it('a sound store passes every check, shallow and deep', async () => {
  const memory = await tempStore({ path: await storeWith(() => {}), embedder });
  for (const deep of [false, true]) {
    const report = await memory.doctor({ deep });
    expect(report.checks.map(({ name }) => name)).toEqual(CHECKS);
    expect(failed(report)).toEqual([]);
    expect(report).toMatchObject({ ok: true, fixed: { items: 0, vectors: 0 } });
    expect(report.checks.every(({ remedy }) => remedy === '')).toBe(true);
  }
});

describe('each fault is found with its remedy, mended on request, and gone afterwards', () => {
  it.each<[string, string[], (db: Database.Database) => void]>([
    [
      'a passage without its index row',
      ['rows', 'terms'],
      (db) => db.exec('DELETE FROM lexical WHERE rowid = 1'),
    ],
    [
      'an index row without its passage',
      ['rows'],
      (db) => db.exec("INSERT INTO lexical (rowid, body) VALUES (77, 'beacon')"),
    ],
    ['a passage without its scope', ['rows'], (db) => db.exec('DELETE FROM visibility WHERE chunk = 2')],
    [
      'an item without passage',
      ['rows', 'terms'],
      (db) =>
        db.exec(
          'DELETE FROM visibility WHERE chunk = 2; DELETE FROM lexical WHERE rowid = 2; DELETE FROM embeddings WHERE chunk = 2; DELETE FROM chunks WHERE chunk = 2',
        ),
    ],
    [
      'terms of another text',
      ['terms'],
      (db) => db.exec("UPDATE lexical SET body = 'quondam' WHERE rowid = 1"),
    ],
    [
      'an index that differs from its terms',
      ['index', 'terms'],
      (db) => db.unsafeMode(true).exec("UPDATE lexical_content SET c1 = 'quite another text' WHERE id = 1"),
    ],
    [
      'a vector of another text',
      ['vectors'],
      (db) => db.exec("UPDATE embeddings SET input_hash = x'00' WHERE chunk = 1"),
    ],
    [
      'a vector of another width',
      ['vectors'],
      (db) => db.exec("UPDATE embeddings SET vector = x'0000803f' WHERE chunk = 1"),
    ],
  ])('%s', async (_, names, fault) => {
    const path = await storeWith(fault);
    const memory = await tempStore({ path, embedder });
    const before = await memory.doctor();
    expect(before.ok).toBe(false);
    expect(failed(before)).toEqual(expect.arrayContaining(names));
    for (const { ok, remedy } of before.checks) expect(remedy !== '').toBe(!ok);
    const after = await memory.doctor({ fix: true });
    expect(failed(after)).toEqual([]);
    await memory.drain();
    expect((await memory.status()).embeddings).toMatchObject({ embedded: 3, pending: 0 });
    expect(await ids(memory, 'beacon', { streams: ['lexical'] })).toEqual(['a']);
    expect(await ids(memory, 'harbour', { streams: ['lexical'] })).toEqual(['b']);
    await memory.close();
    checkFile(path);
  });
});

it('a passage that lost vector and job is queued again', async () => {
  const memory = await tempStore({ path: await storeWith(() => {}), embedder });
  // Lost while the store is open: what was missing before is queued when it opens.
  const db = new Database((await memory.status()).path);
  db.exec('DELETE FROM embeddings WHERE chunk = 1');
  db.close();
  expect(failed(await memory.doctor())).toEqual(['queue']);
  expect(failed(await memory.doctor({ fix: true }))).toEqual([]);
  await memory.drain();
  expect((await memory.status()).embeddings).toMatchObject({ embedded: 3, pending: 0 });
});

it('a store without an embedder is not blamed for missing vectors', async () => {
  const memory = await tempStore();
  await addAll(memory, { a: 'a lamp' });
  expect((await memory.doctor({ deep: true })).ok).toBe(true);
});

it('a store for reading only is looked at and left alone, also when asked to mend it', async () => {
  const path = await storeWith((db) => db.exec("UPDATE lexical SET body = 'quondam' WHERE rowid = 1"));
  const bytes = readFileSync(path);
  const memory = await tempStore({ path, readOnly: true });
  expect(failed(await memory.doctor({ fix: true }))).toEqual(['terms']);
  await memory.close();
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

it('damaged pages are reported, not thrown', async () => {
  const path = join(tempFolder(), 'corvid.db');
  const memory = await open({ path });
  await memory.addMany(
    Array.from({ length: 300 }, (_, i) => ({ text: `note ${i}: ${'lorem ropes and knots '.repeat(20)}` })),
  );
  await memory.close();
  const bytes = readFileSync(path);
  // The header and the schema stay readable; half of the pages after them do not.
  for (let page = 60; page * 4096 < bytes.length; page += 2)
    bytes.fill(0xa5, page * 4096, page * 4096 + 4096);
  writeFileSync(path, bytes);
  const broken = await tempStore({ path, readOnly: true });
  const report = await broken.doctor();
  expect(failed(report)).toContain('file');
  expect(report.checks.map(({ name }) => name)).toEqual(CHECKS);
});

it('progress is told and a signal ends it', async () => {
  const memory = await tempStore();
  await addAll(memory, Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`n${i}`, `rope ${i}`])));
  const phases: string[] = [];
  await memory.doctor({ deep: true, onProgress: ({ phase }) => phases.push(phase) });
  expect(phases).toContain('analyze');
  await expect(memory.doctor({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
});
