/** What a face does with each code: HTTP status and CLI exit code (1 failure, 2 wrong use). */
interface ErrorRow {
  status: number;
  exit: 1 | 2;
}

/** Every error code of Corvid, with what HTTP and the CLI make of it. Codes are stable. */
export const errorTable = {
  /** An option or argument has a value that cannot be used. */
  'invalid-argument': { status: 400, exit: 2 },
  /** An option has a name that does not exist. */
  'unknown-option': { status: 400, exit: 2 },
  /** A query of the advanced syntax that cannot be read; the message names the character. */
  'invalid-query': { status: 400, exit: 2 },
  /** The viewer sees no such item. */
  'not-found': { status: 404, exit: 1 },
  /** The id is taken by an item that this call may not replace. */
  'id-conflict': { status: 409, exit: 1 },
  /** The database file, or the folder to ingest, does not exist. */
  'no-such-file': { status: 404, exit: 1 },
  /** The path names something that cannot hold a database. */
  'not-a-file': { status: 400, exit: 1 },
  /** The file is not an SQLite database. */
  'not-a-database': { status: 500, exit: 1 },
  /** The file is an SQLite database of another program. */
  'foreign-database': { status: 500, exit: 1 },
  /** The file was written by a newer version of Corvid. */
  'schema-too-new': { status: 500, exit: 1 },
  /** The database is damaged. */
  corrupt: { status: 500, exit: 1 },
  /** A write to a store that is open for reading only. */
  'read-only': { status: 403, exit: 1 },
  /** Another process holds the write lock for too long. */
  busy: { status: 503, exit: 1 },
  /** No space is left on the disk. */
  'disk-full': { status: 507, exit: 1 },
  /** Another input or output error of the file system. */
  io: { status: 500, exit: 1 },
  /** The store is closed. */
  closed: { status: 503, exit: 1 },
  /** The caller's signal ended the call. */
  aborted: { status: 499, exit: 1 },
  /** A stream named in `streams` does not exist, or is not part of this version. */
  'unknown-stream': { status: 400, exit: 2 },
  /** A stream named in `require` could not take part. */
  'stream-unavailable': { status: 503, exit: 1 },
  /** The store's vectors are of another embedder than the configured one. */
  'stale-vectors': { status: 409, exit: 1 },
  /** The embedder cannot be reached, or is overloaded. */
  'embedder-unavailable': { status: 503, exit: 1 },
  /** The embedder did not answer in time. */
  'embedder-timeout': { status: 504, exit: 1 },
  /** The embedder's answer cannot be used: not JSON, vectors missing, too many, of another width, zero or not numbers. */
  'embedder-bad-response': { status: 502, exit: 1 },
  /** The embedder refuses this text, such as one over its limit. */
  'embedder-rejected': { status: 422, exit: 1 },
  /** The embedder wants another key, or one at all. */
  'embedder-auth': { status: 502, exit: 1 },
  /** A configuration file cannot be used. */
  'bad-config': { status: 400, exit: 2 },
  /** A labelled collection or run file cannot be read. */
  'bad-collection': { status: 400, exit: 1 },
  /** A defect of Corvid's own. */
  internal: { status: 500, exit: 1 },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** The one error class. `message` says what was wrong and with which value, `hint` what to do. */
export class CorvidError extends Error {
  override readonly name = 'CorvidError';
  readonly code: ErrorCode;
  /** What to do about it; may be empty. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, o: { hint?: string; cause?: unknown } = {}) {
    super(message, o.cause === undefined ? undefined : { cause: o.cause });
    this.code = code;
    this.hint = o.hint ?? '';
  }

  /** HTTP status of the code. */
  get status(): number {
    return errorTable[this.code].status;
  }

  /** Process exit code of the code. */
  get exitCode(): number {
    return errorTable[this.code].exit;
  }
}

/** Rejects when the caller has given up. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new CorvidError('aborted', 'The call was aborted by its signal.', { cause: signal.reason });
  }
}

/** A value as it may stand in a message: short, quoted, on one line. */
export function show(value: unknown): string {
  let text: string;
  if (typeof value === 'string') text = JSON.stringify(value);
  else if (typeof value === 'bigint') text = `${value}n`;
  else if (typeof value === 'function') text = 'a function';
  else {
    try {
      text = JSON.stringify(value) ?? String(value);
    } catch {
      text = Object.prototype.toString.call(value);
    }
    if (typeof value === 'number') text = String(value);
  }
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
