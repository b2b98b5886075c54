import { defaults } from '../core/defaults.js';
import type { Connection } from './connection.js';

/** What happened to an item: its content, its state (archived, restored…), its removal, new vectors. */
export type ChangeOp = 'put' | 'state' | 'remove' | 'embed';

export interface Change {
  /** Grows with every change, across processes. */
  change: number;
  item: number;
  op: ChangeOp;
}

/** The log from which other processes and in-memory indexes catch up. Uses of items (touches) are not in it. */
export class ChangeFeed {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  record(item: number, op: ChangeOp, now: number): void {
    const { lastInsertRowid } = this.#connection.run(
      'INSERT INTO changes (item_key, op, at) VALUES (?, ?, ?)',
      item,
      op,
      now,
    );
    if (lastInsertRowid % PRUNE_EVERY === 0) {
      this.#connection.run(
        'DELETE FROM changes WHERE change <= ?',
        lastInsertRowid - defaults.store.keepChanges,
      );
    }
  }

  /** The number of the newest change; 0 when there was none. */
  latest(): number {
    return this.#connection.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0;
  }

  /** Changes after `since`, oldest first; null when some of them are gone, and the reader has to start afresh. */
  since(since: number, limit = 10_000): Change[] | null {
    return this.#connection.read(() => {
      const oldest = this.#connection.value<number | null>('SELECT min(change) FROM changes');
      if (oldest === null || oldest === undefined) return since === this.latest() ? [] : null;
      if (since < oldest - 1) return null;
      return this.#connection.all<Change>(
        'SELECT change, item_key AS item, op FROM changes WHERE change > ? ORDER BY change LIMIT ?',
        since,
        limit,
      );
    });
  }
}

const PRUNE_EVERY = 1000;
