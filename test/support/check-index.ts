import Sqlite from 'better-sqlite3';
import { expect } from 'vitest';
import type { Memory } from '../../src/index.js';

/**
 * Looks at the file with a connection of its own: the index holds exactly what the chunks say, nothing hangs on what
 * is gone, and the term counts are those of the index.
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
    expect(countTerms(db)).toEqual(storedTerms(db));
  } finally {
    db.close();
  }
}

type Counts = Record<string, number>;

function storedTerms(db: Sqlite.Database): Counts {
  const rows = db.prepare('SELECT field, term, df FROM terms').all() as { field: number; term: string; df: number }[];
  return Object.fromEntries(rows.map((row) => [`${row.field} ${row.term}`, row.df]));
}

function countTerms(db: Sqlite.Database): Counts {
  const counts: Counts = {};
  const rows = db.prepare('SELECT title, body, exact, header FROM lexical').all() as Record<string, string>[];
  for (const row of rows) {
    const fields = [`${row.title} ${row.body} ${row.header}`, `${row.exact}`];
    fields.forEach((terms, field) => {
      for (const term of new Set(terms.split(' '))) {
        if (term !== '') counts[`${field} ${term}`] = (counts[`${field} ${term}`] ?? 0) + 1;
      }
    });
  }
  return counts;
}
