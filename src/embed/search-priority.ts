/**
 * Lets searches go first. They and the worker share one thread and one embedder; a search takes milliseconds and
 * somebody waits for it, a batch of documents takes much longer and nobody does.
 */
export class SearchPriority {
  #running = 0;
  #waiting: (() => void)[] = [];

  /** Runs a search, ahead of background work that pauses. */
  async during<T>(search: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await search();
    } finally {
      this.#running--;
      if (this.#running === 0) for (const go of this.#waiting.splice(0)) go();
    }
  }

  /** Settles when no search is running, at the latest after `maxMs`, so that a stream of searches stops nothing for good. */
  async pause(maxMs: number): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
