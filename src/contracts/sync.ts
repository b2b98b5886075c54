import type { ReadItem } from './ingest.js';

/** What a source's last sync knew of one of its items. */
export interface SyncEntry {
  id: string;
  /**
   * Relative to the source's root, with forward slashes. For a record of a file with many: the file's path, `#`,
   * and the id that the record gives itself (percent-encoded), else a number that it keeps.
   */
  path: string;
  /** Hash of the file's bytes, or of the record. */
  hash: string;
}

/** One change of a source. `put` without an id makes a new item, with `newId` where it is given. */
export type SyncChange =
  | { op: 'put'; id?: string; newId?: string; path: string; hash: string; item: ReadItem }
  | { op: 'rename'; id: string; path: string; hash: string; item: ReadItem }
  | { op: 'remove'; id: string; path: string };

/** Where the files of one source go. `apply` is one transaction: all of the batch or nothing. */
export interface SyncTarget {
  entries(): readonly SyncEntry[];
  /** Whether an item, of this source or not, has this id already. */
  hasId(id: string): boolean;
  /** Returns how many chunks were written. */
  apply(changes: readonly SyncChange[]): number;
}
