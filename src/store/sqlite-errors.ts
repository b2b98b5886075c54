import { CorvidError } from '../errors.js';

/** What an SQLite (or file system) error means to a user of the store. Errors of Corvid's own pass through. */
export function mapError(error: unknown, path: string): CorvidError {
  if (error instanceof CorvidError) return error;
  const code = errorCode(error);
  const cause = { cause: error };
  if (code === 'SQLITE_NOTADB') {
    return new CorvidError('not-a-database', `${path} is not an SQLite database.`, {
      hint: 'Name another file with --db; this one was left as it is.',
      ...cause,
    });
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new CorvidError('corrupt', `The database ${path} is damaged.`, {
      hint: 'Restore a backup, or ingest the sources again into a new file; nothing was changed.',
      ...cause,
    });
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new CorvidError('busy', `Another process keeps ${path} locked.`, {
      hint: 'Try again, or raise busyTimeoutMs.',
      ...cause,
    });
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new CorvidError('disk-full', `There is no space left to write ${path}.`, {
      hint: 'Free some space and try again; nothing of this call was stored.',
      ...cause,
    });
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'EROFS') return readOnlyError(path, error);
  if (code.startsWith('SQLITE_CANTOPEN') || code === 'EACCES' || code === 'EPERM') {
    return new CorvidError('io', `The database ${path} cannot be opened.`, {
      hint: 'Check that the file and its folder can be read and written by this user.',
      ...cause,
    });
  }
  if (code.startsWith('SQLITE_IOERR') || /^E[A-Z]+$/.test(code)) {
    return new CorvidError('io', `Reading or writing ${path} failed (${code}).`, {
      hint: 'Check the disk and the file system.',
      ...cause,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new CorvidError('internal', `Unexpected error in the store: ${message}`, {
    hint: 'Please report it with the steps that led to it.',
    ...cause,
  });
}

export function readOnlyError(path: string, cause?: unknown): CorvidError {
  return new CorvidError('read-only', `The store ${path} is open for reading only.`, {
    hint: 'Make the file and its folder writable, or name another one.',
    ...(cause === undefined ? {} : { cause }),
  });
}

export function errorCode(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return '';
}
