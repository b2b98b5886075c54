import type { Clock, ItemKey } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import type { Store } from '../store/store.js';

/** Counts uses after the answer is out: reading never waits for writing, and never fails because of it. */
export class TouchQueue {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #waiting = new Set<ItemKey>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  add(items: Iterable<ItemKey>): void {
    if (this.#store.readOnly) return;
    for (const item of items) this.#waiting.add(item);
    if (this.#timer || this.#waiting.size === 0) return;
    this.#timer = setTimeout(() => this.flush(), defaults.touch.delayMs);
    this.#timer.unref();
  }

  /** Writes what is waiting. Best effort: a full disk or a busy file loses a count, and nothing else. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    const items = [...this.#waiting];
    this.#waiting.clear();
    try {
      this.#store.uses.touch(items, this.#clock.now());
    } catch {
      // The search that was answered is worth more than the count of its hits.
    }
  }
}
