import type { ReadItem } from './ingest.js';

/** What a source's last sync knew of one of its files. */
export interface SyncEntry {
  id: string;
  /** Relative to the source's root, with forward slashes. */
  path: string;
  /** Hash of the file's bytes. */
  hash: string;
}

/** One change of a source. `put` without an id makes a new item. */
export type SyncChange =
  | { op: 'put'; id?: string; path: string; hash: string; item: ReadItem }
  | { op: 'rename'; id: string; path: string; hash: string; item: ReadItem }
  | { op: 'remove'; id: string; path: string };

/** Where the files of one source go. `apply` is one transaction: all of the batch or nothing. */
export interface SyncTarget {
  entries(): readonly SyncEntry[];
  /** Returns how many chunks were written. */
  apply(changes: readonly SyncChange[]): number;
}
