import type { LexicalRow } from '../contracts/index.js';
import type { Connection } from './connection.js';

/** Where a term stands: in the stemmed columns, or in the exact column. The codes are stored. */
export const FIELD = { word: 0, exact: 1 } as const;

/**
 * In how many chunks each term occurs. FTS5 knows this too, but a look-up in its vocabulary reads the whole list
 * of occurrences (0.3 ms a term at 100k chunks); this table answers in microseconds. Deltas are collected during a
 * transaction and written once at its end.
 */
export class Terms {
  readonly #connection: Connection;
  readonly #deltas = [new Map<string, number>(), new Map<string, number>()] as const;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onBeforeCommit(() => this.#flush());
    connection.onRollback(() => this.#drop());
  }

  /** Counts the terms of a chunk in (`by` 1) or out (−1). */
  count(row: LexicalRow, by: 1 | -1): void {
    this.#add(FIELD.word, distinct(`${row.title} ${row.body} ${row.header}`), by);
    this.#add(FIELD.exact, distinct(row.exact), by);
  }

  /** How many chunks hold the term in the field. */
  frequency(field: 0 | 1, term: string): number {
    return (
      this.#connection.value<number>('SELECT df FROM terms WHERE field = ? AND term = ?', field, term) ?? 0
    );
  }

  /** How many (chunk, term) pairs there are for terms that begin with a prefix; an upper bound on the chunks. */
  prefixFrequency(field: 0 | 1, prefix: string): number {
    return (
      this.#connection.value<number>(
        'SELECT sum(df) FROM terms WHERE field = ? AND term >= ? AND term < ?',
        field,
        prefix,
        `${prefix}\u{10ffff}`,
      ) ?? 0
    );
  }

  #add(field: 0 | 1, terms: Set<string>, by: number): void {
    const deltas = this.#deltas[field];
    for (const term of terms) deltas.set(term, (deltas.get(term) ?? 0) + by);
  }

  #flush(): void {
    for (const field of [FIELD.word, FIELD.exact]) {
      let removed = false;
      // Ascending, so that neighbouring entries share pages.
      for (const [term, delta] of [...this.#deltas[field]].sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (delta === 0) continue;
        if (delta < 0) removed = true;
        this.#connection.run(
          'INSERT INTO terms (field, term, df) VALUES (?, ?, ?) ON CONFLICT (field, term) DO UPDATE SET df = df + excluded.df',
          field,
          term,
          delta,
        );
      }
      if (removed) {
        for (const [term, delta] of this.#deltas[field]) {
          if (delta < 0)
            this.#connection.run('DELETE FROM terms WHERE field = ? AND term = ? AND df <= 0', field, term);
        }
      }
    }
    this.#drop();
  }

  #drop(): void {
    this.#deltas[0].clear();
    this.#deltas[1].clear();
  }
}

function distinct(terms: string): Set<string> {
  const set = new Set(terms.split(' '));
  set.delete('');
  return set;
}
