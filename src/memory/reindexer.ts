import { setTimeout as sleep } from 'node:timers/promises';
import type { Analyzer, Clock, ItemKey } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import { prepareChunks, type ReadyChunk } from '../core/prepare-chunks.js';
import type { ItemRecord } from '../store/item-record.js';
import type { Store } from '../store/store.js';
import { sameRecord } from './item-fields.js';

/** Of which analyzer every row is, at least, as far as the last look went. */
const SETTING = 'indexed_by_analyzer';

/**
 * Brings rows that an older analyzer made up to date, in the background and a few items at a time. Until it is done the
 * old rows answer as well as they did. It stops and goes on anywhere: what is left to do stands in the rows themselves.
 * Rows of a newer analyzer are left alone, so that two versions at work on one file do not undo each other.
 */
export class Reindexer {
  readonly #store: Store;
  readonly #analyzer: Analyzer;
  readonly #clock: Clock;
  #stopped = false;
  #running: Promise<void> | null = null;

  constructor(store: Store, analyzer: Analyzer, clock: Clock) {
    this.#store = store;
    this.#analyzer = analyzer;
    this.#clock = clock;
  }

  /** Starts when there is something to do. Returns at once. */
  start(): void {
    if (this.#store.readOnly || this.#running) return;
    if (Number(this.#store.maintenance.setting(SETTING)) === this.#analyzer.version) return;
    // A full disk or a damaged page ends the run, and nothing else; the next opening goes on.
    this.#running = this.#run()
      .catch(() => {})
      .finally(() => {
        this.#running = null;
      });
  }

  /** Settles when nothing is left to do, or it stopped. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { maintenance } = this.#store;
    let after = 0;
    for (;;) {
      // Searches and writes of this process come in between.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#stopped) return;
      const { items, last } = maintenance.outdated(
        this.#analyzer.version,
        after,
        defaults.reindex.chunksAStep,
      );
      if (items.length === 0) break;
      const write = reindex(this.#store, this.#analyzer, items, this.#clock.now());
      if (await this.#whenFree(write)) after = last;
    }
    // What a process of an older analyzer writes later is found again: it sets this back when it opens the file.
    await this.#whenFree(() => {
      if (maintenance.countByVersion(this.#analyzer.version).older === 0)
        maintenance.setSetting(SETTING, String(this.#analyzer.version));
    });
  }

  /** Runs a write when no other process writes. False when the store is being closed before that. */
  async #whenFree(write: () => unknown): Promise<boolean> {
    while (!this.#stopped) {
      if (this.#store.writeIfFree(write)) return true;
      await sleep(defaults.reindex.retryMs, undefined, { ref: false });
    }
    return false;
  }
}

/**
 * Analyzes items and returns the write that makes their index rows anew; that returns how many it made. Items, chunks
 * that stay the same, and their vectors are kept. The analysis is over before any lock is taken; an item that was
 * changed in between is left as it is.
 */
export function reindex(
  store: Store,
  analyzer: Analyzer,
  items: readonly ItemKey[],
  now: number,
): () => number {
  const ready: { key: ItemKey; record: ItemRecord; chunks: ReadyChunk[] }[] = [];
  for (const key of items) {
    const record = store.items.wholeRecordOf(key);
    if (record) {
      ready.push({ key, record, chunks: prepareChunks({ ...record, ...record.header }, analyzer) });
    }
  }
  return () => {
    let done = 0;
    for (const { key, record, chunks } of ready) {
      const stored = store.items.wholeRecordOf(key);
      if (stored === null || !sameRecord(stored, record)) continue;
      store.reindex(key, chunks, { analyzerVersion: analyzer.version, now });
      done++;
    }
    return done;
  };
}
