import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { CorvidError } from '../errors.js';
import { checkVersion, foreignError, migrate, SCHEMA_VERSION, tooNewError } from './migrations.js';
import { APPLICATION_ID } from './schema.js';
import { errorCode, mapError } from './sqlite-errors.js';

export interface DatabaseOptions {
  path: string;
  readOnly?: boolean | undefined;
  create: boolean;
  journalMode: 'wal' | 'delete';
  busyTimeoutMs: number;
  now: number;
}

export interface OpenedDatabase {
  db: Database;
  path: string;
  readOnly: boolean;
}

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/** Opens (or makes) the file, checks whose it is before anything is written, and brings it to the present schema. */
export function openDatabase(o: DatabaseOptions): OpenedDatabase {
  if (o.path === ':memory:') {
    const db = new Sqlite(':memory:');
    configure(db, { ...o, journalMode: 'delete' }, false);
    migrate(db, o.path, o.now);
    return { db, path: o.path, readOnly: false };
  }
  const path = resolve(o.path);
  try {
    const exists = inspect(path, o);
    const readOnly = exists ? (o.readOnly ?? !isWritable(path)) : false;
    if (!exists) mkdirSync(dirname(path), { recursive: true });
    return readOnly ? openForReading(path, o) : openForWriting(path, o);
  } catch (error) {
    throw mapError(error, path);
  }
}

/** Whether the file exists. Looks at its first bytes only, so that a file that is not ours keeps every byte. */
function inspect(path: string, o: DatabaseOptions): boolean {
  let size: number;
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) {
      throw new CorvidError('not-a-file', `${path} is a folder, not a database file.`, {
        hint: `Name a file in it, such as ${path.replace(/\/$/, '')}/corvid.db.`,
      });
    }
    if (!stat.isFile()) {
      throw new CorvidError('not-a-file', `${path} is not a regular file.`, { hint: 'Name another path.' });
    }
    size = stat.size;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTDIR') {
      throw new CorvidError('not-a-file', `A part of ${path} is a file where a folder is needed.`, {
        hint: 'Check the path.',
        cause: error,
      });
    }
    if (code !== 'ENOENT') throw error;
    if (o.readOnly || !o.create) {
      throw new CorvidError('no-such-file', `There is no database at ${path}.`, {
        hint: 'Make one with `corvid init`, add something first, or name another path.',
        cause: error,
      });
    }
    return false;
  }
  if (size === 0) {
    if (o.readOnly) {
      throw new CorvidError('not-a-database', `${path} is empty.`, {
        hint: 'Open it for writing to make a store of it.',
      });
    }
    return true;
  }
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  let read: number;
  try {
    read = readSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  if (read < HEADER_BYTES || header.toString('latin1', 0, 16) !== MAGIC) {
    throw new CorvidError('not-a-database', `${path} is not an SQLite database.`, {
      hint: 'Name another file; this one was left as it is.',
    });
  }
  const version = header.readUInt32BE(60);
  const application = header.readUInt32BE(68);
  if (application !== 0 && application !== APPLICATION_ID) throw foreignError(path);
  if (application === APPLICATION_ID && version > SCHEMA_VERSION) throw tooNewError(path, version);
  return true;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function openForWriting(path: string, o: DatabaseOptions): OpenedDatabase {
  const db = new Sqlite(path, { timeout: o.busyTimeoutMs });
  try {
    configure(db, o, false);
    const version = retryBusy(o.busyTimeoutMs, () => checkVersion(db, path));
    if (version < SCHEMA_VERSION) {
      // Only takes effect in a file without tables; lets retired vectors really leave the file later.
      if (version === 0) db.pragma('auto_vacuum = INCREMENTAL');
      retryBusy(o.busyTimeoutMs, () => migrate(db, path, o.now));
    }
    setJournalMode(db, o);
    return { db, path, readOnly: false };
  } catch (error) {
    db.close();
    if (errorCode(error).startsWith('SQLITE_READONLY') && o.readOnly === undefined)
      return openForReading(path, o);
    throw error;
  }
}

function openForReading(path: string, o: DatabaseOptions): OpenedDatabase {
  let db: Database | undefined;
  try {
    db = new Sqlite(path, { readonly: true, timeout: o.busyTimeoutMs });
    configure(db, o, true);
    requirePresent(db, path);
  } catch (error) {
    db?.close();
    if (!errorCode(error).startsWith('SQLITE_CANTOPEN')) throw error;
    // A file in WAL mode in a folder where no -shm file can be made: a copy in memory still answers.
    db = openCopy(path);
    configure(db, o, true);
    requirePresent(db, path);
  }
  return { db, path, readOnly: true };
}

/** The file's content in memory, its header set from WAL to rollback mode (bytes 18 and 19), which memory needs. */
function openCopy(path: string): Database {
  const bytes = readFileSync(path);
  bytes[18] = 1;
  bytes[19] = 1;
  return new Sqlite(bytes, { readonly: true });
}

/** Reading does not migrate, so the schema must be the present one. */
function requirePresent(db: Database, path: string): void {
  const version = checkVersion(db, path);
  if (version < SCHEMA_VERSION) {
    throw new CorvidError(
      'read-only',
      `${path} has schema ${version} and cannot be brought to ${SCHEMA_VERSION} for reading only.`,
      {
        hint: 'Open it once for writing.',
      },
    );
  }
}

function configure(db: Database, o: DatabaseOptions, readOnly: boolean): void {
  db.pragma(`busy_timeout = ${o.busyTimeoutMs}`);
  db.pragma('foreign_keys = ON');
  db.pragma('temp_store = MEMORY');
  db.pragma('cache_size = -32768');
  if (readOnly) {
    db.pragma('query_only = ON');
  } else {
    // What is deleted is overwritten with zeros, also in pages that stay in use.
    db.pragma('secure_delete = ON');
  }
}

/** Changing the mode needs the file alone for a moment, and SQLite does not wait for that by itself. */
function setJournalMode(db: Database, o: DatabaseOptions): void {
  const current = db.pragma('journal_mode', { simple: true }) as string;
  if (current !== o.journalMode) {
    try {
      retryBusy(o.busyTimeoutMs, () => db.pragma(`journal_mode = ${o.journalMode}`));
    } catch (error) {
      // Another process holds the file in its mode; or the file system has no shared memory. Both work on.
      const code = errorCode(error);
      if (
        !code.startsWith('SQLITE_BUSY') &&
        !code.startsWith('SQLITE_LOCKED') &&
        !code.startsWith('SQLITE_IOERR')
      )
        throw error;
    }
  }
  const mode = db.pragma('journal_mode', { simple: true }) as string;
  db.pragma(`synchronous = ${mode === 'wal' ? 'NORMAL' : 'FULL'}`);
}

/** Repeats a call that may find the file locked, for as long as a write would wait. */
function retryBusy<T>(timeoutMs: number, call: () => T): T {
  const until = Date.now() + timeoutMs;
  for (let pause = 2; ; pause = Math.min(50, pause * 2)) {
    try {
      return call();
    } catch (error) {
      if (!errorCode(error).startsWith('SQLITE_BUSY') || Date.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
}
