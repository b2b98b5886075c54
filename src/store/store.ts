import { createHash } from 'node:crypto';
import type { ItemKey, LexicalIndex, ResolvedViewer, Status } from '../contracts/index.js';
import { ChangeFeed } from './change-feed.js';
import { Connection } from './connection.js';
import { ItemReader } from './item-reader.js';
import type { ItemRecord, PreparedChunk } from './item-record.js';
import { ItemWriter } from './item-writer.js';
import { Fts5LexicalIndex } from './lexical-fts5.js';
import { type DatabaseOptions, openDatabase } from './open-database.js';
import { Scopes } from './scopes.js';
import { Sources } from './sources.js';
import { storeStatus } from './store-status.js';
import { TermStatistics } from './term-statistics.js';

/** What a write did. */
export type PutStatus = 'added' | 'updated' | 'unchanged';

/** One open database file, as the layers above see it. Methods are synchronous and throw CorvidErrors. */
export class Store {
  readonly connection: Connection;
  readonly scopes: Scopes;
  readonly sources: Sources;
  readonly lexical: LexicalIndex;
  readonly items: ItemReader;
  readonly changes: ChangeFeed;
  readonly #writer: ItemWriter;

  constructor(connection: Connection) {
    this.connection = connection;
    this.scopes = new Scopes(connection);
    this.sources = new Sources(connection);
    this.items = new ItemReader(connection, this.scopes);
    this.changes = new ChangeFeed(connection);
    this.lexical = new Fts5LexicalIndex(
      connection,
      this.scopes,
      new TermStatistics(connection, this.changes),
    );
    this.#writer = new ItemWriter(connection, this.scopes, this.sources, this.lexical, this.changes);
  }

  static open(o: DatabaseOptions): Store {
    return new Store(new Connection(openDatabase(o)));
  }

  get path(): string {
    return this.connection.path;
  }

  get readOnly(): boolean {
    return this.connection.readOnly;
  }

  /** Runs writes in one immediate transaction: all of them or none. */
  write<T>(call: () => T): T {
    return this.connection.write(call);
  }

  /** Adds an item (`key` null) or replaces a stored one. */
  put(
    key: ItemKey | null,
    item: ItemRecord,
    chunks: readonly PreparedChunk[],
    o: { analyzerVersion: number; now: number },
  ): void {
    this.write(() => {
      if (key === null) this.#writer.insert(item, chunks, contentHash(item), o.analyzerVersion, o.now);
      else this.#writer.replace(key, item, chunks, contentHash(item), o.analyzerVersion, o.now);
    });
  }

  setArchived(key: ItemKey, at: number | null, now: number): void {
    this.write(() => this.#writer.setArchived(key, at, now));
  }

  remove(key: ItemKey, now: number): void {
    this.write(() => this.#writer.remove(key, now));
  }

  /**
   * Empties the write-ahead log, so that no older page is left in it. False while another connection still reads
   * from it; the log is then emptied at a later checkpoint.
   */
  truncateLog(): boolean {
    if (this.path === ':memory:' || this.connection.pragma<string>('journal_mode') !== 'wal') return true;
    const row = this.connection.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
    return row?.busy === 0;
  }

  status(viewer: ResolvedViewer, now: number): Omit<Status, 'analyzerVersion' | 'embedder'> {
    return storeStatus(this.connection, this.scopes, viewer, now);
  }

  close(): void {
    this.connection.close();
  }
}

/** Hash of an item's title and text without case, width and spacing: equal for what a reader calls the same. */
export function contentHash(item: Pick<ItemRecord, 'title' | 'text'>): Buffer {
  const normal = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256')
    .update(normal(item.title ?? ''))
    .update('\0')
    .update(normal(item.text))
    .digest()
    .subarray(0, 16);
}
