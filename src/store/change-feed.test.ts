import { describe, expect, it } from 'vitest';
import { ChangeFeed } from './change-feed.js';
import { Connection } from './connection.js';
import { openDatabase } from './open-database.js';

function feed() {
  const connection = new Connection(
    openDatabase({ path: ':memory:', create: true, journalMode: 'wal', busyTimeoutMs: 100, now: 0 }),
  );
  return { connection, feed: new ChangeFeed(connection) };
}

describe('the change feed', () => {
  it('gives what happened after a point, oldest first', () => {
    const { feed: changes } = feed();
    expect(changes.latest()).toBe(0);
    expect(changes.since(0)).toEqual([]);
    changes.record(7, 'put', 1);
    changes.record(7, 'state', 2);
    changes.record(8, 'remove', 3);
    expect(changes.latest()).toBe(3);
    expect(changes.since(1)).toEqual([
      { change: 2, item: 7, op: 'state' },
      { change: 3, item: 8, op: 'remove' },
    ]);
    expect(changes.since(3)).toEqual([]);
  });

  it('tells a reader that is behind its oldest entry to start afresh', () => {
    const { connection, feed: changes } = feed();
    for (let i = 0; i < 5; i++) changes.record(i, 'put', i);
    connection.run('DELETE FROM changes WHERE change <= 3');
    expect(changes.since(2)).toBeNull();
    expect(changes.since(3)).toHaveLength(2);
    connection.run('DELETE FROM changes');
    expect(changes.since(4)).toBeNull();
    expect(changes.since(5)).toEqual([]);
  });
});
