import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { open } from '../../src/index.js';
import { tempStore } from '../support/temp.js';

/** Everything on disk that belongs to a store. */
function bytesOf(path: string): Buffer {
  return Buffer.concat(
    [path, `${path}-wal`, `${path}-journal`]
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file)),
  );
}

describe('a forgotten item', () => {
  it('leaves none of its bytes in the file or the log, nor those of its earlier versions', async () => {
    const memory = await tempStore();
    const { path } = await memory.status();
    for (let i = 0; i < 200; i++)
      await memory.add({ id: `other${i}`, kind: 'document', text: `ordinary text ${i} `.repeat(20) });
    await memory.add({
      id: 'secret',
      title: 'Xylograph',
      text: 'the zanzibarquartz password',
      tags: ['qwertzuio'],
      meta: { k: 'plughxyzzy' },
    });
    await memory.update('secret', { text: 'the newervoldemort password' });
    for (let i = 0; i < 50; i++)
      await memory.add({ id: `later${i}`, kind: 'document', text: `later text ${i} `.repeat(20) });
    const traces = ['secret', 'ylograph', 'zanzibarquartz', 'newervoldemort', 'qwertzuio', 'plughxyzzy'];
    const before = bytesOf(path);
    expect(before.includes('newervoldemort')).toBe(true);
    expect(await memory.forget('secret')).toEqual({ id: 'secret', removed: true, erased: true });
    const after = bytesOf(path);
    for (const trace of traces) expect(after.includes(trace), trace).toBe(false);
    expect((await memory.search('ordinary')).hits).toHaveLength(10);
  });

  it('is reported as not yet erased while another process still reads an older state', async () => {
    const memory = await tempStore({ busyTimeoutMs: 50 });
    const { path } = await memory.status();
    await memory.add({ id: 'secret', text: 'the zanzibarquartz password' });
    const Sqlite = (await import('better-sqlite3')).default;
    const reader = new Sqlite(path);
    reader.exec('BEGIN; SELECT count(*) FROM items');
    reader.prepare('SELECT count(*) FROM items').get();
    expect(await memory.forget('secret')).toEqual({ id: 'secret', removed: true, erased: false });
    reader.exec('COMMIT');
    reader.close();
    await memory.close();
    expect(bytesOf(path).includes('zanzibarquartz')).toBe(false);
    await (await open(path)).close();
  });
});
