import Sqlite from 'better-sqlite3';
import { expect } from 'vitest';
import type { Memory } from '../../src/index.js';

/**
 * Looks at the file with a connection of its own: the index holds exactly what the chunks say, and nothing hangs on
 * what is gone.
 */
export async function checkIndex(memory: Memory): Promise<void> {
  checkFile((await memory.status()).path);
}

export function checkFile(path: string): void {
  const db = new Sqlite(path);
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    // Rank 1 compares the index with its content; the plain check would not see a difference.
    db.exec("INSERT INTO lexical (lexical, rank) VALUES ('integrity-check', 1)");
    const value = (sql: string) => db.prepare(sql).pluck().get();
    expect(value('SELECT count(*) FROM chunks WHERE chunk NOT IN (SELECT rowid FROM lexical)')).toBe(0);
    expect(value('SELECT count(*) FROM lexical WHERE rowid NOT IN (SELECT chunk FROM chunks)')).toBe(0);
    expect(value('SELECT count(*) FROM visibility WHERE chunk NOT IN (SELECT chunk FROM chunks)')).toBe(0);
    expect(value('SELECT count(*) FROM items WHERE item_key NOT IN (SELECT item_key FROM chunks)')).toBe(0);
  } finally {
    db.close();
  }
}
