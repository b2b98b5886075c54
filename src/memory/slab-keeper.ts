import { setTimeout as sleep } from 'node:timers/promises';
import { defaults } from '../core/defaults.js';
import type { Store } from '../store/store.js';

/**
 * Writes the slabs from which the vectors of a large space are in memory quickly, in the background, a slab at a time:
 * some while after vectors had to be read one by one, and when the store is drained.
 */
export class SlabKeeper {
  readonly #store: Store;
  #stopped = false;
  #seen = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** To be called after searches: plans a run when many vectors were read one by one since the last. */
  notice(): void {
    const read = this.#store.vectors.readSingly;
    if (read - this.#seen < defaults.vectors.slabAfter || this.#stopped || this.#store.readOnly) return;
    this.#seen = read;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), defaults.vectors.slabDelayMs).unref();
  }

  /** Writes what is missing now, and settles when that is done. */
  async settle(signal?: AbortSignal): Promise<void> {
    if (this.#store.readOnly) return;
    this.#start();
    await this.#running;
    signal?.throwIfAborted();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    if (this.#stopped || this.#running) return;
    // A full disk or a locked file costs the next opening some time, and nothing else.
    this.#running = this.#run()
      .catch(() => {})
      .finally(() => {
        this.#running = null;
      });
  }

  async #run(): Promise<void> {
    const { slabs, spaces, changes } = this.#store;
    for (const { id, dimensions } of spaces.all()) {
      if (dimensions === null) continue;
      const asOf = changes.latest();
      const outdated = slabs.outdated(id, dimensions);
      for (const n of outdated) {
        await new Promise((resolve) => setImmediate(resolve));
        if (!(await this.#whenFree(() => slabs.write(id, n, dimensions)))) return;
      }
      if (outdated.length > 0 && !(await this.#whenFree(() => slabs.settle(id, asOf)))) return;
    }
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
