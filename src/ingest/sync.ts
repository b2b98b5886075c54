import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type {
  FileReader,
  IngestOptions,
  IngestSummary,
  Reader,
  ReadFile,
  RecordsReader,
  SkippedFile,
  SyncChange,
  SyncTarget,
} from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { CorvidError, show, throwIfAborted } from '../errors.js';
import { decode } from './decode.js';
import { errorDetail } from './error-detail.js';
import { KnownFiles } from './known-files.js';
import { locateSource, type SourcePlace, unreadable } from './locate-source.js';
import { type FileRead, readAhead } from './read-ahead.js';
import { readerFor, standardReaders } from './readers/index.js';
import { recordChanges } from './record-changes.js';
import { type FoundFile, type WalkResult, walk } from './walk.js';

/** How much of a file is looked at for the encoding that it declares. */
const HEAD_BYTES = 4096;

export interface SyncOptions extends IngestOptions {
  /** Absolute paths that are never read: the store's own files. */
  avoid?: readonly string[] | undefined;
  /** Default {@link standardReaders}. */
  readers?: readonly Reader[] | undefined;
}

/**
 * Brings a source up to date with a folder, or with one file of it: new and edited files are put, files moved or
 * renamed keep their id (known by their content), files that are gone, or left out by now, are removed. A file
 * of the same bytes is not written again, and when nothing has changed nothing is applied at all. A known file
 * that cannot be read, or has become too large, keeps its item; one that is now empty or no text loses it. A file
 * of records, such as JSON Lines, gives an item a record; a bad one is reported, and the others go in.
 *
 * Changes are applied in batches. When the signal ends the call, what was applied stays, and the next run does
 * the rest.
 *
 * @param targetOf where the files of the source of that name go.
 * @throws CorvidError `no-such-file`, `io` (also for a folder that has become empty, see `allowEmpty`),
 *   `invalid-argument` for a single file that cannot be ingested, `aborted`, and what the target throws.
 */
export async function syncFolder(
  path: string,
  targetOf: (source: string) => SyncTarget,
  o: SyncOptions = {},
): Promise<IngestSummary> {
  const start = performance.now();
  throwIfAborted(o.signal);
  const readers = o.readers ?? standardReaders;
  const place = await locateSource(path, o.source);
  o.onProgress?.({ phase: 'scan', done: 0 });
  const { files, skipped } = await listFiles(path, place, readers, o);
  const target = targetOf(place.source);
  const known = new KnownFiles(target.entries());
  if (!place.only) {
    if (files.length === 0 && known.size > 0 && !o.allowEmpty) throw becameEmpty(path, known.size);
    known.markGone(files, skipped);
  }
  const run = new SyncRun(target, known, readers, {
    source: place.source,
    files: files.length,
    added: 0,
    updated: 0,
    renamed: 0,
    unchanged: 0,
    removed: 0,
    skipped,
    chunks: 0,
    elapsedMs: 0,
  });
  const most = o.maxFileBytes ?? defaults.ingest.maxFileBytes;
  const maxBytesOf = (file: string) => Math.min(most, readerFor(readers, file)?.maxBytes ?? most);
  let done = 0;
  for await (const read of readAhead(files, maxBytesOf)) {
    throwIfAborted(o.signal);
    for (const _ of run.take(read)) {
      // A file may hold any number of records.
      if (!run.full) continue;
      await run.flush();
      throwIfAborted(o.signal);
    }
    if (run.full) await run.flush();
    done++;
    o.onProgress?.({ phase: 'read', done, total: files.length, current: read.file.path });
  }
  throwIfAborted(o.signal);
  for (const entry of known.gone()) {
    run.remove(entry);
    if (run.full) {
      await run.flush();
      throwIfAborted(o.signal);
    }
  }
  await run.flush();
  return { ...run.summary, elapsedMs: performance.now() - start };
}

async function listFiles(
  path: string,
  place: SourcePlace,
  readers: readonly Reader[],
  o: SyncOptions,
): Promise<WalkResult> {
  const supports = (name: string) => readerFor(readers, name) !== undefined;
  if (place.only) {
    if (!supports(place.only.path)) {
      throw new CorvidError('invalid-argument', `Files such as ${show(path)} cannot be ingested.`, {
        hint: `Supported: ${readers.flatMap((reader) => reader.extensions).join(', ')}.`,
      });
    }
    if (o.avoid?.includes(place.only.absolute)) {
      throw new CorvidError('invalid-argument', `${show(path)} belongs to the store itself.`, {
        hint: 'Name a note, or the folder that holds the notes.',
      });
    }
    return { files: [place.only], skipped: [] };
  }
  try {
    return await walk(place.root, { ...o, supports });
  } catch (error) {
    throw error instanceof CorvidError ? error : unreadable(path, error);
  }
}

function becameEmpty(path: string, count: number): CorvidError {
  return new CorvidError(
    'io',
    `${show(path)} holds no file to ingest, but ${count} ${count === 1 ? 'item was' : 'items were'} ingested from it before.`,
    {
      hint: 'Check that it is the right folder, that it is mounted, and what the globs and ignore files leave out. To remove the items, allow an empty folder (allowEmpty).',
    },
  );
}

/** One run's counts and the changes that wait to be applied. */
class SyncRun {
  readonly summary: IngestSummary;
  readonly #target: SyncTarget;
  readonly #known: KnownFiles;
  readonly #readers: readonly Reader[];
  readonly #claimed = new Set<string>();
  #changes: SyncChange[] = [];
  #bytes = 0;

  constructor(target: SyncTarget, known: KnownFiles, readers: readonly Reader[], summary: IngestSummary) {
    this.#target = target;
    this.#known = known;
    this.#readers = readers;
    this.summary = summary;
  }

  /** Whether the waiting changes make a batch. */
  get full(): boolean {
    return this.#changes.length >= defaults.ingest.batchFiles || this.#bytes >= defaults.ingest.batchBytes;
  }

  /** Applies the waiting changes, then lets timers and other callers run. */
  async flush(): Promise<void> {
    if (this.#changes.length === 0) return;
    const changes = this.#changes;
    this.#changes = [];
    this.#bytes = 0;
    this.summary.chunks += this.#target.apply(changes);
    // Counted once they are in: a batch that fails is not.
    for (const change of changes) {
      if (change.op === 'remove') this.summary.removed++;
      else if (change.op === 'rename') this.summary.renamed++;
      else if (change.id === undefined) this.summary.added++;
      else this.summary.updated++;
    }
    await setImmediate();
  }

  /** Takes a file; gives control back after each of its items. */
  *take(read: FileRead): Generator<void> {
    const { file } = read;
    if ('skip' in read) {
      this.#skip(file, read.skip, read.detail, 'keep');
      return;
    }
    const reader = readerFor(this.#readers, file.path);
    if (!reader) throw new CorvidError('internal', `No reader takes ${show(file.path)}.`);
    const hash = createHash('sha256').update(read.bytes).digest('hex');
    if ('read' in reader && this.#known.at(file.path)?.hash === hash) {
      this.summary.unchanged++;
      return;
    }
    const head = reader.declaredCharset && read.bytes.toString('latin1', 0, HEAD_BYTES);
    const decoded = decode(read.bytes, head === undefined ? undefined : reader.declaredCharset?.(head));
    if ('skip' in decoded) {
      this.#skip(file, decoded.skip, decoded.detail, 'drop');
      return;
    }
    const given = { path: file.path, text: decoded.text, modifiedAt: read.modifiedAt };
    if ('records' in reader) yield* this.#takeRecords(file, reader, given);
    else this.#takeItem(file, reader, given, hash, read.bytes.length);
  }

  #takeItem(file: FoundFile, reader: FileReader, given: ReadFile, hash: string, size: number): void {
    const item = this.#try(file, reader, () => reader.read(given));
    if (item === null) return;
    if (!item.text?.trim() && !item.title?.trim()) {
      this.#skip(file, 'empty', undefined, 'drop');
      return;
    }
    const entry = this.#known.at(file.path);
    const moved = entry ? undefined : this.#known.takeGone(hash, file.path);
    const change = { path: file.path, hash, item };
    if (moved) this.#changes.push({ op: 'rename', id: moved.id, ...change });
    else this.#changes.push(entry ? { op: 'put', id: entry.id, ...change } : { op: 'put', ...change });
    this.#bytes += size;
  }

  *#takeRecords(file: FoundFile, reader: RecordsReader, given: ReadFile): Generator<void> {
    const lines = this.#try(file, reader, () => [...reader.records(given)]);
    if (lines === null) return;
    const steps = recordChanges(file.path, lines, {
      known: this.#known,
      claimed: this.#claimed,
      isTaken: (id) => this.#target.hasId(id),
    });
    for (const step of steps) {
      if (step.op === 'unchanged') this.summary.unchanged++;
      else if (step.op === 'change') {
        this.#changes.push(step.change);
        this.#bytes += step.size;
      } else {
        const detail = step.kept ? `${step.problem}; the text ingested before is kept` : step.problem;
        this.summary.skipped.push({ path: `${file.path}:${step.line}`, reason: 'bad-line', detail });
      }
      yield;
    }
  }

  remove(entry: { id: string; path: string }): void {
    this.#changes.push({ op: 'remove', id: entry.id, path: entry.path });
  }

  #try<T>(file: FoundFile, reader: Reader, read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      // A reader may be of the caller's own; one file that it fails on does not stop the others.
      this.#skip(file, 'unreadable', `reader ${reader.name}: ${errorDetail(error)}`, 'keep');
      return null;
    }
  }

  #skip(file: FoundFile, reason: string, detail: string | undefined, then: 'keep' | 'drop'): void {
    const notes = detail === undefined ? [] : [detail];
    const own = this.#known.at(file.path);
    const entries = own ? [own] : this.#known.recordsOf(file.path);
    if (entries.length > 0) {
      notes.push(
        then === 'keep' ? 'the text ingested before is kept' : 'the text ingested before is removed',
      );
      if (then === 'drop') for (const entry of entries) this.remove(entry);
    }
    const skipped: SkippedFile = { path: file.path, reason };
    if (notes.length > 0) skipped.detail = notes.join('; ');
    this.summary.skipped.push(skipped);
  }
}
