import type { ChunkKey, ItemKey } from '../contracts/index.js';
import type { StrengthInput } from '../core/decay.js';
import { defaults } from '../core/defaults.js';
import type { Connection } from './connection.js';
import { FLAGS, KINDS, kindCode } from './kinds.js';

/** What the prior asks of a candidate. */
export interface Standing extends StrengthInput {
  chunk: ChunkKey;
  pinned: boolean;
  authoredAt: number;
}

interface StandingRow {
  chunk: number;
  kind: number;
  flags: number;
  authored_at: number;
  strength: number;
  importance: number;
  accesses: number;
  last_access: number;
}

/** How often and when items were used. Lives in the narrow rows only: a use changes no item and no index. */
export class Uses {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Counts a use of each item, at most one a minute an item. */
  touch(items: Iterable<ItemKey>, now: number): void {
    this.#connection.write(() => {
      for (const item of items) {
        // Only a memory's uses weigh in ranking; of a long document one row is enough to count them.
        this.#connection.run(
          `UPDATE visibility SET accesses = accesses + 1, last_access = max(last_access, ?)
           WHERE item_key = ? AND (accesses = 0 OR last_access <= ?)
             AND (kind = ${kindCode('memory')} OR chunk = (SELECT min(chunk) FROM visibility WHERE item_key = ?))`,
          now,
          item,
          now - defaults.touch.minIntervalMs,
          item,
        );
      }
    });
  }

  /** What the prior must know of candidates, by their chunk. */
  standings(chunks: readonly ChunkKey[]): Map<ChunkKey, Standing> {
    const rows = this.#connection.all<StandingRow>(
      `SELECT chunk, kind, flags, authored_at, strength, importance, accesses, last_access FROM visibility
       WHERE chunk IN (SELECT value FROM json_each(?))`,
      JSON.stringify(chunks),
    );
    return new Map(
      rows.map((row) => [
        row.chunk as ChunkKey,
        {
          chunk: row.chunk as ChunkKey,
          kind: KINDS[row.kind]!,
          pinned: (row.flags & FLAGS.pinned) !== 0,
          authoredAt: row.authored_at,
          strength: row.strength,
          importance: row.importance,
          accesses: row.accesses,
          lastAccess: row.last_access,
        },
      ]),
    );
  }
}
