import { realpath, stat } from 'node:fs/promises';
import { type FSWatcher, watch } from 'chokidar';
import type { IngestSummary, WatchOptions } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { CorvidError, show } from '../errors.js';
import { errorDetail } from './error-detail.js';
import { unreadable } from './locate-source.js';
import { readerFor, standardReaders } from './readers/index.js';
import { isIgnoreFile, WatchRules } from './watch-rules.js';

/**
 * Keeps a source up to date with a folder until the signal ends it: `sync` is called once the folder is watched,
 * and again when something in it has changed, one call at a time. Changes in bursts wait for a quiet moment
 * (`debounceMs`), but no longer than `maxWaitMs`. What ingest passes over does not count: ignored and hidden
 * folders, files of other kinds, the store's own files (`avoid`).
 *
 * A sync that fails is reported and tried again, at growing intervals; so the watch also outlives a folder that is
 * away for a while. Where the system has no watches left, the files are looked at instead (polling).
 *
 * @returns when the signal has ended the watch and the last sync is over.
 * @throws CorvidError `no-such-file`, `io`, or `invalid-argument` for what is no folder.
 */
export async function watchFolder(
  path: string,
  sync: () => Promise<IngestSummary>,
  o: WatchOptions,
): Promise<void> {
  const root = await folderAt(path);
  if (o.signal.aborted) return;
  const avoid = new Set(o.avoid);
  for (const file of o.avoid ?? []) avoid.add(await realpath(file).catch(() => file));
  await new Watch(root, avoid, sync, o).run();
}

async function folderAt(path: string): Promise<string> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    const code = errorDetail(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unreadable(path, error);
    throw new CorvidError('no-such-file', `There is no folder ${show(path)}.`, {
      hint: 'Check the path.',
      cause: error,
    });
  }
  if (!isFolder) {
    throw new CorvidError('invalid-argument', `${show(path)} is not a folder.`, {
      hint: 'Name the folder that holds the notes.',
    });
  }
  return realpath(path);
}

class Watch {
  readonly #root: string;
  readonly #avoid: ReadonlySet<string>;
  readonly #sync: () => Promise<IngestSummary>;
  readonly #o: WatchOptions;
  #polling: boolean;
  #watcher: FSWatcher | null = null;
  /** Whether the watch has to be set up anew before the next sync. */
  #stale = true;
  /** When the first change was seen that no sync has answered. */
  #since: number | null = null;
  #last = 0;
  #failures = 0;
  #wake: (() => void) | null = null;

  constructor(root: string, avoid: ReadonlySet<string>, sync: () => Promise<IngestSummary>, o: WatchOptions) {
    this.#root = root;
    this.#avoid = avoid;
    this.#sync = sync;
    this.#o = o;
    this.#polling = o.usePolling ?? false;
  }

  async run(): Promise<void> {
    const wake = () => this.#wake?.();
    this.#o.signal.addEventListener('abort', wake);
    try {
      this.#since = performance.now();
      // Nothing is gained by waiting before the first one.
      this.#last = Number.NEGATIVE_INFINITY;
      while (!this.#o.signal.aborted) {
        const wait = this.#due();
        if (wait > 0) await this.#sleep(wait);
        else await this.#syncOnce();
      }
    } finally {
      this.#o.signal.removeEventListener('abort', wake);
      await this.#watcher?.close();
    }
  }

  /** Milliseconds until the next sync; Infinity while nothing has changed. */
  #due(): number {
    if (this.#since === null) return Number.POSITIVE_INFINITY;
    const { debounceMs = defaults.watch.debounceMs, maxWaitMs = defaults.watch.maxWaitMs } = this.#o;
    return Math.min(this.#last + debounceMs, this.#since + maxWaitMs) - performance.now();
  }

  async #syncOnce(): Promise<void> {
    try {
      if (this.#stale) await this.#start();
      if (this.#o.signal.aborted) return;
      // What changes from here on may come too late for this one.
      this.#since = null;
      const summary = await this.#sync();
      // After a failure the folder may be another one of the same name, which nobody watches.
      if (this.#failures > 0) this.#restart();
      this.#failures = 0;
      this.#tell(() => this.#o.onSync?.(summary));
    } catch (error) {
      if (this.#o.signal.aborted) return;
      this.#tell(() => this.#o.onError?.(error));
      await this.#sleep(Math.min(defaults.watch.maxRetryMs, defaults.watch.retryMs * 2 ** this.#failures++));
      this.#since ??= performance.now();
    }
  }

  /** Watches from now on; changes are noted as soon as it returns. */
  async #start(): Promise<void> {
    await this.#watcher?.close();
    this.#stale = false;
    const rules = new WatchRules(this.#root, this.#avoid);
    const watcher = watch(this.#root, {
      ignored: (path, stats) => rules.ignores(path, stats?.isDirectory() ?? false),
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      usePolling: this.#polling,
    });
    this.#watcher = watcher;
    watcher.on('all', (event, path) => {
      const isFolder = event === 'addDir' || event === 'unlinkDir';
      if (isIgnoreFile(path)) this.#restart();
      else if (!isFolder && readerFor(standardReaders, path) === undefined) return;
      this.#changed();
    });
    watcher.on('error', (error) => this.#failed(error));
    await new Promise<void>((resolve) => {
      watcher.once('ready', resolve);
      watcher.once('error', () => resolve());
      this.#wake = resolve;
    });
    this.#wake = null;
  }

  /** Sets the watch up anew: other folders may be ignored now. The next sync finds what changed meanwhile. */
  #restart(): void {
    this.#stale = true;
    this.#changed();
  }

  #changed(): void {
    this.#last = performance.now();
    this.#since ??= this.#last;
    this.#wake?.();
  }

  #failed(error: unknown): void {
    const code = errorDetail(error);
    if (!this.#polling && (code === 'ENOSPC' || code === 'EMFILE')) {
      this.#polling = true;
      this.#restart();
    }
    this.#tell(() => this.#o.onError?.(error));
  }

  /** A listener that throws stops nothing. */
  #tell(call: () => void): void {
    try {
      call();
    } catch {
      // It is the caller's own affair.
    }
  }

  /** Waits so long, or until something happens. */
  async #sleep(ms: number): Promise<void> {
    if (this.#o.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}
