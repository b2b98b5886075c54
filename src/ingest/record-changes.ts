import { createHash } from 'node:crypto';
import type { ReadRecord, RecordLine, SyncChange, SyncEntry } from '../contracts/index.js';
import { errorDetail } from './error-detail.js';
import type { KnownFiles } from './known-files.js';

/** What is to be done for one record of a file. */
export type RecordStep =
  | { op: 'unchanged' }
  | { op: 'bad'; line: number; problem: string; kept: boolean }
  | { op: 'change'; change: SyncChange; size: number };

/** What the records of a file are compared with. */
export interface RecordsKnown {
  known: KnownFiles;
  /** Ids that records of this run have given themselves. */
  claimed: Set<string>;
  /** Whether an item outside of what the source knows has the id. */
  isTaken: (id: string) => boolean;
}

/**
 * Compares the records of a file with the items that came from it, and says, in order, what is to be done. A
 * record of known content is not read again. One that gives itself an id is known by it; any other by its
 * content, and when that was edited, by the record that stands before it. What is left over is removed.
 */
export function* recordChanges(
  path: string,
  lines: readonly RecordLine[],
  o: RecordsKnown,
): Generator<RecordStep> {
  const entries = new RecordEntries(path, o.known.recordsOf(path));
  const hashed = lines.map((line) => {
    const hash = createHash('sha256').update(line.content).digest('hex');
    return { line, hash, entry: entries.takeContent(hash) };
  });
  // Place, among the old records without an id, of the one that stands before.
  let before = -1;
  for (const { line, hash, entry } of hashed) {
    if (entry) {
      before = entries.placeOf(entry) ?? before;
      yield { op: 'unchanged' };
      continue;
    }
    let record: ReadRecord;
    try {
      record = line.read();
    } catch (error) {
      const kept = entries.takePlace(before + 1) !== undefined;
      if (kept) before++;
      yield { op: 'bad', line: line.line, problem: problemOf(error), kept };
      continue;
    }
    const size = line.content.length;
    const { id, item } = record;
    if (id !== undefined) {
      const step = withId(path, id, { hash, item }, entries, o);
      yield typeof step === 'string'
        ? { op: 'bad', line: line.line, problem: step, kept: false }
        : { op: 'change', change: step, size };
      continue;
    }
    const edited = entries.takePlace(before + 1);
    if (edited) {
      before++;
      yield { op: 'change', change: { op: 'put', id: edited.id, path: edited.path, hash, item }, size };
      continue;
    }
    const target = { path: `${path}#${entries.freshNumber(line.line)}`, hash, item };
    const moved = o.known.takeGone(hash, target.path);
    yield {
      op: 'change',
      change: moved ? { op: 'rename', id: moved.id, ...target } : { op: 'put', ...target },
      size,
    };
  }
  for (const { id, path: gone } of entries.rest()) {
    yield { op: 'change', change: { op: 'remove', id, path: gone }, size: 0 };
  }
}

/** The change for a record with an id of its own, or why it cannot have it. */
function withId(
  path: string,
  id: string,
  content: Pick<Extract<SyncChange, { op: 'put' }>, 'hash' | 'item'>,
  entries: RecordEntries,
  o: RecordsKnown,
): SyncChange | string {
  if (o.claimed.has(id)) return `the id ${JSON.stringify(id)} has been given before`;
  const target = { path: recordPath(path, id), ...content };
  const entry = o.known.withId(id);
  if (entry) {
    if (!entries.takeEntry(entry)) {
      if (!o.known.takeGoneEntry(entry)) return `the id ${JSON.stringify(id)} is that of ${entry.path}`;
      o.claimed.add(id);
      return { op: entry.hash === content.hash ? 'rename' : 'put', id, ...target };
    }
    o.claimed.add(id);
    return { op: 'put', id, ...target };
  }
  if (o.isTaken(id)) return `the id ${JSON.stringify(id)} is that of another item`;
  o.claimed.add(id);
  return { op: 'put', newId: id, ...target };
}

/** Where a record with an id of its own stands. */
function recordPath(path: string, id: string): string {
  return `${path}#${encodeURIComponent(id)}`;
}

/** The items that came from a file, each to be found once. */
class RecordEntries {
  readonly #left: Set<SyncEntry>;
  readonly #byContent = new Map<string, SyncEntry[]>();
  /** Those without an id of their own, in the order of their numbers. */
  readonly #ordered: SyncEntry[];
  readonly #places: Map<SyncEntry, number>;
  #largest = 0;

  constructor(path: string, entries: readonly SyncEntry[]) {
    this.#left = new Set(entries);
    const numbers = new Map<SyncEntry, number>();
    for (const entry of entries) {
      const number = Number(entry.path.slice(path.length + 1));
      if (entry.path === recordPath(path, entry.id) || !Number.isSafeInteger(number)) continue;
      numbers.set(entry, number);
      this.#largest = Math.max(this.#largest, number);
    }
    this.#ordered = [...numbers.keys()].sort((a, b) => (numbers.get(a) ?? 0) - (numbers.get(b) ?? 0));
    this.#places = new Map(this.#ordered.map((entry, place) => [entry, place]));
    // Of several with the same content the first is to be taken first.
    for (const entry of [...this.#ordered, ...entries.filter((other) => !numbers.has(other))].reverse()) {
      const same = this.#byContent.get(entry.hash);
      if (same) same.push(entry);
      else this.#byContent.set(entry.hash, [entry]);
    }
  }

  takeContent(hash: string): SyncEntry | undefined {
    const entry = this.#byContent.get(hash)?.pop();
    if (entry) this.#left.delete(entry);
    return entry;
  }

  takeEntry(entry: SyncEntry): boolean {
    return this.#left.delete(entry);
  }

  takePlace(place: number): SyncEntry | undefined {
    const entry = this.#ordered[place];
    return entry && this.#left.delete(entry) ? entry : undefined;
  }

  placeOf(entry: SyncEntry): number | undefined {
    return this.#places.get(entry);
  }

  /** A number that no record of the file has or had: the line's own where it is free. */
  freshNumber(line: number): number {
    const number = line > this.#largest ? line : this.#largest + 1;
    this.#largest = number;
    return number;
  }

  rest(): Iterable<SyncEntry> {
    return this.#left;
  }
}

function problemOf(error: unknown): string {
  // The code of an error of ours says less than its message.
  return error instanceof Error ? error.message : errorDetail(error);
}
