import type { SkippedFile, SyncEntry } from '../contracts/index.js';

/** What a source held before this run, and what of it is gone. */
export class KnownFiles {
  readonly #byPath = new Map<string, SyncEntry>();
  readonly #byId = new Map<string, SyncEntry>();
  /** Items by the path before their last `#`: the records of a file, if there is such a file. */
  readonly #byFile = new Map<string, SyncEntry[]>();
  /** Entries whose file is gone, by hash: such a file may be back under another name. */
  readonly #gone = new Map<string, SyncEntry[]>();

  constructor(entries: readonly SyncEntry[]) {
    for (const entry of entries) {
      this.#byPath.set(entry.path, entry);
      this.#byId.set(entry.id, entry);
      const file = fileOfRecord(entry.path);
      if (file === null) continue;
      const records = this.#byFile.get(file);
      if (records) records.push(entry);
      else this.#byFile.set(file, [entry]);
    }
  }

  get size(): number {
    return this.#byId.size;
  }

  at(path: string): SyncEntry | undefined {
    return this.#byPath.get(path);
  }

  withId(id: string): SyncEntry | undefined {
    return this.#byId.get(id);
  }

  /** What came from the records of a file. */
  recordsOf(path: string): readonly SyncEntry[] {
    return this.#byFile.get(path) ?? [];
  }

  /**
   * Notes which files are gone: those not found, unless they could not be looked at, themselves or their folder.
   */
  markGone(found: readonly { path: string }[], skipped: readonly SkippedFile[]): void {
    const there = new Set(found.map(({ path }) => path));
    const hidden = skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path);
    for (const entry of this.#byId.values()) {
      const file = fileOfRecord(entry.path) ?? entry.path;
      if (there.has(entry.path) || there.has(file)) continue;
      const isHidden = (path: string) =>
        entry.path === path || file === path || (path.endsWith('/') && entry.path.startsWith(path));
      if (hidden.some(isHidden)) continue;
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

  /** Takes back that an entry is gone; false when it is not. */
  takeGoneEntry(entry: SyncEntry): boolean {
    const entries = this.#gone.get(entry.hash) ?? [];
    const at = entries.indexOf(entry);
    if (at === -1) return false;
    entries.splice(at, 1);
    if (entries.length === 0) this.#gone.delete(entry.hash);
    return true;
  }

  /** Entries whose file is gone and was not found again, ordered by path. */
  gone(): SyncEntry[] {
    return [...this.#gone.values()].flat().sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function fileOfRecord(path: string): string | null {
  const at = path.lastIndexOf('#');
  return at === -1 || path.includes('/', at) ? null : path.slice(0, at);
}
