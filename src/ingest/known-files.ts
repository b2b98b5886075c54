import type { SkippedFile, SyncEntry } from '../contracts/index.js';

/** What a source held before this run, and what of it is gone. */
export class KnownFiles {
  readonly #byPath = new Map<string, SyncEntry>();
  /** Entries whose file is gone, by hash: such a file may be back under another name. */
  readonly #gone = new Map<string, SyncEntry[]>();

  constructor(entries: readonly SyncEntry[]) {
    for (const entry of entries) this.#byPath.set(entry.path, entry);
  }

  get size(): number {
    return this.#byPath.size;
  }

  at(path: string): SyncEntry | undefined {
    return this.#byPath.get(path);
  }

  /**
   * Notes which files are gone: those not found, unless they could not be looked at, themselves or their folder.
   */
  markGone(found: readonly { path: string }[], skipped: readonly SkippedFile[]): void {
    const there = new Set(found.map(({ path }) => path));
    const hidden = skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path);
    for (const entry of this.#byPath.values()) {
      if (there.has(entry.path)) continue;
      if (hidden.some((path) => entry.path === path || (path.endsWith('/') && entry.path.startsWith(path))))
        continue;
      const same = this.#gone.get(entry.hash);
      if (same) same.push(entry);
      else this.#gone.set(entry.hash, [entry]);
    }
  }

  /** The entry that a new file continues, by its content: once, and rather one of the same file name. */
  takeGone(hash: string, path: string): SyncEntry | undefined {
    const entries = this.#gone.get(hash);
    if (!entries) return undefined;
    const named = entries.findIndex((entry) => fileName(entry.path) === fileName(path));
    const [entry] = entries.splice(Math.max(0, named), 1);
    if (entries.length === 0) this.#gone.delete(hash);
    return entry;
  }

  /** Entries whose file is gone and was not found again, ordered by path. */
  gone(): SyncEntry[] {
    return [...this.#gone.values()].flat().sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
