import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { CorvidError, open } from '../../src/index.js';
import { checkFile } from '../support/check-index.js';
import { addAll, ids, tempFolder, tempStore } from '../support/temp.js';

const writer = fileURLToPath(new URL('../support/writer-process.mjs', import.meta.url));

function write(path: string, prefix: string, count: number) {
  const child = fork(writer, [path, prefix, String(count)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let stderr = '';
  child.stderr?.on('data', (data) => {
    stderr += String(data);
  });
  const done = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.on('exit', (code) => resolve({ code, stderr })),
  );
  return { child, done };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(CorvidError);
  expect((error as CorvidError).message).not.toBe('');
  expect((error as CorvidError).hint).not.toBe('');
  return (error as CorvidError).code;
}

const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('T01 several processes share one file', () => {
  it('six open a new file at the same moment and none fails', async () => {
    const path = join(tempFolder(), 'new.db');
    const results = await Promise.all(Array.from({ length: 6 }, (_, i) => write(path, `p${i}`, 1).done));
    for (const { code, stderr } of results) expect(code, stderr).toBe(0);
    const memory = await open(path);
    expect((await memory.status()).items.total).toBe(6);
    await memory.close();
    checkFile(path);
  });

  it('four add and search at once, one of them is killed: what was reported as stored is there, and whole', async () => {
    const path = join(tempFolder(), 'busy.db');
    const writers = Array.from({ length: 4 }, (_, i) => write(path, `w${i}`, 100));
    const victim = write(path, 'victim', 10_000);
    await new Promise((resolve) => victim.child.once('message', resolve));
    setTimeout(() => victim.child.kill('SIGKILL'), 300);
    for (const { code, stderr } of await Promise.all(writers.map((w) => w.done)))
      expect(code, stderr).toBe(0);
    await victim.done;
    const memory = await open(path);
    for (const prefix of ['w0', 'w1', 'w2', 'w3']) {
      for (const i of [0, 50, 99]) expect(await memory.get(`${prefix}-${i}`)).not.toBeNull();
    }
    expect((await memory.status()).items.total).toBeGreaterThanOrEqual(400);
    await memory.close();
    checkFile(path);
  });

  it('a write of another process is seen by the next search', async () => {
    const path = join(tempFolder(), 'shared.db');
    const memory = await open(path);
    expect(await ids(memory, 'sensor')).toEqual([]);
    expect((await write(path, 'other', 1).done).code).toBe(0);
    expect(await ids(memory, 'sensor')).toEqual(['other-0']);
    await memory.close();
  });
});

describe('T03 a full disk', () => {
  it('is reported as such, keeps nothing half, and is over when there is space again', async () => {
    const path = join(tempFolder(), 'full.db');
    const { Connection } = await import('../../src/store/connection.js');
    const { openDatabase } = await import('../../src/store/open-database.js');
    const opened = openDatabase({ path, create: true, journalMode: 'wal', busyTimeoutMs: 1000, now: 0 });
    const connection = new Connection(opened);
    const pages = connection.pragma<number>('page_count');
    connection.pragma(`max_page_count = ${pages + 2}`);
    const fill = () =>
      connection.write(() =>
        connection.run('INSERT INTO settings VALUES (?, ?)', 'big', 'x'.repeat(1_000_000)),
      );
    expect(fill).toThrowError(expect.objectContaining({ code: 'disk-full' }));
    expect(connection.value('SELECT count(*) FROM settings')).toBe(0);
    connection.pragma('max_page_count = 1000000');
    fill();
    expect(connection.value('SELECT count(*) FROM settings')).toBe(1);
    connection.close();
    checkFile(path);
  });
});

describe('T05 files of other versions and other programs', () => {
  it('a newer schema is refused with both versions, and no byte changes', async () => {
    const path = join(tempFolder(), 'newer.db');
    await (await open(path)).close();
    const db = new Sqlite(path);
    db.pragma('user_version = 999');
    db.close();
    const before = hash(path);
    expect(await codeOf(open(path))).toBe('schema-too-new');
    await expect(open(path)).rejects.toThrow(/999.*\b1\b/);
    expect(hash(path)).toBe(before);
  });

  it('an SQLite file of another program is refused, with or without an application id, and no byte changes', async () => {
    for (const applicationId of [0, 42]) {
      const path = join(tempFolder(), 'foreign.db');
      const db = new Sqlite(path);
      db.pragma(`application_id = ${applicationId}`);
      db.exec("CREATE TABLE contacts (name TEXT); INSERT INTO contacts VALUES ('somebody')");
      db.close();
      const before = hash(path);
      expect(await codeOf(open(path))).toBe('foreign-database');
      expect(hash(path)).toBe(before);
    }
  });

  it('a migration that fails half-way leaves the file as it was', async () => {
    const path = join(tempFolder(), 'half.db');
    const { migrate } = await import('../../src/store/migrations.js');
    const db = new Sqlite(path);
    // A table of the first step is in the way, so that the step fails after it has begun.
    db.exec('CREATE TABLE changes (x)');
    expect(() => migrate(db, path, 0)).toThrow();
    expect(db.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['changes']);
    expect(db.pragma('user_version', { simple: true })).toBe(0);
    db.close();
  });
});

describe('T06 what is not a sound database', () => {
  it('a text file, a folder and a missing file are told apart, and nothing is made or changed', async () => {
    const folder = tempFolder();
    const text = join(folder, 'notes.txt');
    writeFileSync(text, 'these are my notes, and there are more than a hundred bytes of them. '.repeat(5));
    const before = hash(text);
    expect(await codeOf(open(text))).toBe('not-a-database');
    expect(hash(text)).toBe(before);
    mkdirSync(join(folder, 'sub'));
    expect(await codeOf(open(join(folder, 'sub')))).toBe('not-a-file');
    expect(await codeOf(open(join(text, 'x.db')))).toBe('not-a-file');
    expect(await codeOf(open({ path: join(folder, 'none.db'), create: false }))).toBe('no-such-file');
    expect(await codeOf(open({ path: join(folder, 'none.db'), readOnly: true }))).toBe('no-such-file');
  });

  it('an empty file is a new store', async () => {
    const path = join(tempFolder(), 'empty.db');
    writeFileSync(path, '');
    const memory = await open(path);
    await addAll(memory, { a: 'kiln' });
    expect(await ids(memory, 'kiln')).toEqual(['a']);
    await memory.close();
  });

  it('a file cut to half gives a typed error, at open or at the first call, and is not made anew', async () => {
    const path = join(tempFolder(), 'cut.db');
    const memory = await open(path);
    await memory.addMany(
      Array.from({ length: 500 }, (_, i) => ({ kind: 'document' as const, text: `kiln ${i} `.repeat(50) })),
    );
    await memory.close();
    const size = readFileSync(path).length;
    truncateSync(path, Math.floor(size / 2 / 4096) * 4096);
    const call = async () => {
      const cut = await open(path);
      try {
        await cut.search('kiln');
        await cut.list({ limit: 1000 });
      } finally {
        await cut.close();
      }
    };
    expect(await codeOf(call())).toBe('corrupt');
    expect(readFileSync(path).length).toBe(Math.floor(size / 2 / 4096) * 4096);
  });
});

describe('T04 reading without writing', () => {
  it('a store opened for reading only answers, refuses writes by name, and says that it is read-only', async () => {
    const path = join(tempFolder(), 'shared.db');
    const first = await open(path);
    await addAll(first, { a: 'the kiln is hot' });
    await first.close();
    const memory = await open({ path, readOnly: true });
    expect(await ids(memory, 'kiln')).toEqual(['a']);
    expect((await memory.status()).readOnly).toBe(true);
    expect(await codeOf(memory.add({ text: 'more' }))).toBe('read-only');
    expect(await codeOf(memory.archive('a'))).toBe('read-only');
    await memory.close();
  });
});

describe('T07 a rollback journal instead of WAL', () => {
  it('works with two processes', async () => {
    const path = join(tempFolder(), 'rollback.db');
    const memory = await open({ path, journalMode: 'delete' });
    await addAll(memory, { a: 'kiln' });
    expect((await memory.status()).journalMode).toBe('delete');
    const other = await open({ path, journalMode: 'delete' });
    await addAll(other, { b: 'kiln shelf' });
    expect((await ids(memory, 'kiln')).sort()).toEqual(['a', 'b']);
    await other.close();
    await memory.close();
    checkFile(path);
  });
});

describe('T10 one note in every encoding', () => {
  const note = '---\ntags: [pottery]\n---\n# Kiln log\n\nFired at cone six. See [[Glaze]].\n';
  const utf16 = (bigEndian: boolean) => {
    const bytes = Buffer.from(`\uFEFF${note}`, 'utf16le');
    return bigEndian ? bytes.swap16() : bytes;
  };

  it('gives the same title, tags and passages, and skips what is no text with a reason', async () => {
    const folder = tempFolder();
    const files: Record<string, Buffer> = {
      'utf8.md': Buffer.from(note),
      'bom.md': Buffer.from(`\uFEFF${note}`),
      'crlf.md': Buffer.from(note.replaceAll('\n', '\r\n')),
      'cr.md': Buffer.from(note.replaceAll('\n', '\r')),
      'utf16le.md': utf16(false),
      'utf16be.md': utf16(true),
      'picture.md': Buffer.from([
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1,
      ]),
      'nothing.md': Buffer.alloc(0),
    };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    const memory = await tempStore();
    const summary = await memory.ingest(folder);
    expect(summary.added).toBe(6);
    expect(summary.skipped.map((s) => [s.path, s.reason]).sort()).toEqual([
      ['nothing.md', 'empty'],
      ['picture.md', 'binary'],
    ]);
    const { items } = await memory.list();
    for (const item of items) {
      expect(item.title, item.uri!).toBe('Kiln log');
      expect(item.tags, item.uri!).toEqual(['pottery']);
      expect(item.chunks, item.uri!).toBe(1);
      expect(item.text.replaceAll(/\r\n?/g, '\n'), item.uri!).toBe(note);
    }
    expect((await ids(memory, 'cone six')).length).toBe(6);
  });
});
