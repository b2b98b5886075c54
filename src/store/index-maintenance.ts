import type { ItemKey } from '../contracts/index.js';
import type { Connection } from './connection.js';
import type { Slabs } from './slabs.js';

/** Looks at index and vectors from inside the file, and finds what has to be made anew. */
export class IndexMaintenance {
  readonly #connection: Connection;
  readonly #slabs: Slabs;

  constructor(connection: Connection, slabs: Slabs) {
    this.#connection = connection;
    this.#slabs = slabs;
  }

  /** Items with chunks after `after` whose terms an older analyzer made, as many as `limit` chunks belong to. */
  outdated(version: number, after: number, limit: number): { items: ItemKey[]; last: number } {
    const rows = this.#connection.rows<[chunk: number, item: number]>(
      'SELECT chunk, item_key FROM chunks WHERE chunk > ? AND analyzer_version < ? ORDER BY chunk LIMIT ?',
      after,
      version,
      limit,
    );
    return {
      items: [...new Set(rows.map(([, item]) => item as ItemKey))],
      last: rows.at(-1)?.[0] ?? after,
    };
  }

  /** Chunks of an older, and of a newer analyzer. */
  countByVersion(version: number): { older: number; newer: number } {
    return this.#connection.get<{ older: number; newer: number }>(
      `SELECT count(*) FILTER (WHERE analyzer_version < ?) AS older, count(*) FILTER (WHERE analyzer_version > ?) AS newer
       FROM chunks`,
      version,
      version,
    )!;
  }

  /** Up to `limit` items, spread evenly over the store; all of them with `limit` null. */
  sample(limit: number | null): ItemKey[] {
    if (limit === null)
      return this.#connection.values<ItemKey>('SELECT item_key FROM items ORDER BY item_key');
    const total = this.#connection.value<number>('SELECT count(*) FROM items') ?? 0;
    const step = Math.max(1, Math.floor(total / limit));
    return this.#connection.values<ItemKey>(
      `SELECT item_key FROM (SELECT item_key, row_number() OVER (ORDER BY item_key) AS n FROM items)
       WHERE n % ? = 0 ORDER BY item_key LIMIT ?`,
      step,
      limit,
    );
  }

  /** Terms of an item's chunks as the index holds them, in the order of the passages. */
  terms(item: ItemKey): { start: number; end: number; version: number; terms: string }[] {
    return this.#connection
      .all<{ start: number; end: number; version: number; terms: string | null }>(
        `SELECT c.start_offset AS start, c.end_offset AS "end", c.analyzer_version AS version,
           l.title || char(10) || l.body || char(10) || l.exact || char(10) || l.header AS terms
         FROM chunks c LEFT JOIN lexical l ON l.rowid = c.chunk WHERE c.item_key = ? ORDER BY c.ordinal`,
        item,
      )
      .map((row) => ({ ...row, terms: row.terms ?? '' }));
  }

  /** What SQLite itself finds wrong with the file; deep: every page and index. */
  fileFaults(deep: boolean): string[] {
    return this.#connection
      .values<string>(deep ? 'PRAGMA integrity_check(20)' : 'PRAGMA quick_check(20)')
      .filter((line) => line !== 'ok');
  }

  brokenReferences(): number {
    return this.#connection.value<number>('SELECT count(*) FROM pragma_foreign_key_check') ?? 0;
  }

  /** Chunks, index rows and narrow rows that have no counterpart, and items without a chunk. */
  unpaired(): {
    withoutTerms: number;
    withoutChunk: number;
    withoutVisibility: number;
    withoutPassage: number;
  } {
    return this.#connection.get(
      `SELECT
         (SELECT count(*) FROM chunks WHERE chunk NOT IN (SELECT id FROM lexical_docsize)) AS withoutTerms,
         (SELECT count(*) FROM lexical_docsize WHERE id NOT IN (SELECT chunk FROM chunks)) AS withoutChunk,
         (SELECT count(*) FROM chunks WHERE chunk NOT IN (SELECT chunk FROM visibility)) AS withoutVisibility,
         (SELECT count(*) FROM items WHERE item_key NOT IN (SELECT item_key FROM chunks)) AS withoutPassage`,
    )!;
  }

  /** Items that {@link unpaired} counts on their side. */
  unpairedItems(): ItemKey[] {
    return this.#connection.values<ItemKey>(
      `SELECT item_key FROM chunks WHERE chunk NOT IN (SELECT id FROM lexical_docsize)
         OR chunk NOT IN (SELECT chunk FROM visibility)
       UNION SELECT item_key FROM items WHERE item_key NOT IN (SELECT item_key FROM chunks)`,
    );
  }

  removeUnpairedRows(): void {
    this.#connection.run('DELETE FROM lexical WHERE rowid NOT IN (SELECT chunk FROM chunks)');
  }

  /**
   * Compares the index with the terms it was made of. Needs the write lock.
   * @throws CorvidError `corrupt` when they differ.
   */
  checkIndex(): void {
    // Rank 1 compares with the content too; the plain check would not see a difference.
    this.#connection.run("INSERT INTO lexical (lexical, rank) VALUES ('integrity-check', 1)");
  }

  /** Makes the index anew from the terms it keeps, in one transaction. */
  rebuildIndex(): void {
    this.#connection.run("INSERT INTO lexical (lexical) VALUES ('rebuild')");
  }

  /** Vectors that cannot be right: of another text than the chunk has now, or of another width than their space. */
  wrongVectors(): { space: number; chunk: number; why: 'text' | 'width' }[] {
    return this.#connection.all(
      `SELECT e.space_id AS space, e.chunk, CASE WHEN e.input_hash <> c.input_hash THEN 'text' ELSE 'width' END AS why
       FROM embeddings e JOIN chunks c ON c.chunk = e.chunk JOIN spaces s ON s.space_id = e.space_id
       WHERE e.input_hash <> c.input_hash
         OR (s.encoding = 'float32' AND s.dimensions IS NOT NULL AND length(e.vector) <> 4 * s.dimensions)
         OR length(e.vector) = 0`,
    );
  }

  removeVector(space: number, chunk: number): void {
    this.#connection.run('DELETE FROM embeddings WHERE space_id = ? AND chunk = ?', space, chunk);
    this.#slabs.removeOf([chunk]);
  }

  /** Chunks that have neither a vector nor a job in the space that serves or is built. */
  forgottenJobs(): { space: number; chunks: number }[] {
    return this.#connection
      .all<{ space: number; chunks: number }>(
        `SELECT s.space_id AS space, (SELECT count(*) FROM chunks c
           WHERE NOT EXISTS (SELECT 1 FROM embeddings e WHERE e.space_id = s.space_id AND e.chunk = c.chunk)
             AND NOT EXISTS (SELECT 1 FROM embedding_jobs j WHERE j.space_id = s.space_id AND j.chunk = c.chunk)) AS chunks
         FROM spaces s WHERE s.state IN ('active', 'building')`,
      )
      .filter(({ chunks }) => chunks > 0);
  }

  setting(name: string): string | null {
    return this.#connection.value<string>('SELECT value FROM settings WHERE name = ?', name) ?? null;
  }

  setSetting(name: string, value: string): void {
    this.#connection.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    );
  }
}
