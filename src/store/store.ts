import { hash } from 'node:crypto';
import type {
  ChunkKey,
  EmbeddingSpace,
  ItemKey,
  LexicalIndex,
  ResolvedViewer,
  Status,
} from '../contracts/index.js';
import { embeddingInput } from '../core/prepare-chunks.js';
import { CorvidError } from '../errors.js';
import { ChangeFeed } from './change-feed.js';
import { Connection } from './connection.js';
import { Conversations } from './conversations.js';
import { EmbeddingCoverage } from './embedding-coverage.js';
import { EmbeddingQueue } from './embedding-queue.js';
import { IndexMaintenance } from './index-maintenance.js';
import { ItemReader } from './item-reader.js';
import type { ItemRecord, PreparedChunk } from './item-record.js';
import { ItemWriter } from './item-writer.js';
import { Fts5LexicalIndex } from './lexical-fts5.js';
import { MemoryVectorIndex } from './memory-vector-index.js';
import { type DatabaseOptions, openDatabase } from './open-database.js';
import { Scopes } from './scopes.js';
import { Slabs } from './slabs.js';
import { Sources } from './sources.js';
import { Spaces } from './spaces.js';
import { storeStatus } from './store-status.js';
import { TermStatistics } from './term-statistics.js';
import { Uses } from './uses.js';

/** One open database file, as the layers above see it. Methods are synchronous and throw CorvidErrors. */
export class Store {
  readonly connection: Connection;
  readonly scopes: Scopes;
  readonly sources: Sources;
  readonly lexical: LexicalIndex;
  readonly conversations: Conversations;
  readonly items: ItemReader;
  readonly changes: ChangeFeed;
  readonly spaces: Spaces;
  readonly uses: Uses;
  readonly embeddings: EmbeddingQueue;
  readonly coverage: EmbeddingCoverage;
  readonly slabs: Slabs;
  readonly vectors: MemoryVectorIndex;
  readonly maintenance: IndexMaintenance;
  readonly #writer: ItemWriter;
  #targets: readonly number[] = [];

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
    this.conversations = new Conversations(connection);
    this.spaces = new Spaces(connection);
    this.uses = new Uses(connection);
    this.embeddings = new EmbeddingQueue(connection, this.changes);
    this.coverage = new EmbeddingCoverage(connection, this.scopes, this.changes);
    this.slabs = new Slabs(connection, this.changes);
    this.vectors = new MemoryVectorIndex(connection, this.scopes, this.changes, this.slabs);
    this.maintenance = new IndexMaintenance(connection, this.slabs);
    this.#writer = new ItemWriter(
      connection,
      this.scopes,
      this.sources,
      this.lexical,
      this.changes,
      (chunks) => this.slabs.removeOf(chunks),
      (chunk, hash) => {
        for (const space of this.#targets) this.embeddings.enqueue(space, chunk, hash);
      },
    );
  }

  static open(o: DatabaseOptions): Store {
    return new Store(new Connection(openDatabase(o)));
  }

  get path(): string {
    return this.connection.path;
  }

  get isOpen(): boolean {
    return this.connection.isOpen;
  }

  get readOnly(): boolean {
    return this.connection.readOnly;
  }

  /** The spaces for which new chunks are queued; none without an embedder. */
  setEmbeddingTargets(spaces: readonly number[]): void {
    this.#targets = spaces;
  }

  /** What the embedder gets for each chunk; chunks that are gone are left out. */
  embeddingInputs(chunks: readonly ChunkKey[]): Map<ChunkKey, string> {
    const inputs = new Map<ChunkKey, string>();
    const records = new Map<ItemKey, ItemRecord | null>();
    for (const chunk of this.items.hydrate(chunks)) {
      let found = records.get(chunk.item);
      if (found === undefined) {
        found = this.items.recordOf(chunk.item);
        records.set(chunk.item, found);
      }
      if (found) inputs.set(chunk.chunk, embeddingInput({ ...found, ...found.header }, chunk, chunk.text));
    }
    return inputs;
  }

  /**
   * Keeps a caller's vector for an item's first chunk. The space is made when it is new.
   * @throws CorvidError `invalid-argument` when the vector has another width than the space.
   */
  putCallerVector(
    workspace: string,
    id: string,
    space: EmbeddingSpace,
    fingerprint: string,
    vector: Float32Array,
    now: number,
  ): void {
    this.write(() => {
      const named = this.spaces.named(space) ?? this.spaces.create(space, fingerprint, 'caller', now);
      const wanted = named.dimensions ?? space.dimensions ?? vector.length;
      if (vector.length !== wanted) throw wrongWidth('embedding', vector.length, wanted, space);
      this.spaces.setDimensions(named.id, vector.length);
      const found = this.connection.get<{ item: number; chunk: number; hash: Buffer }>(
        `SELECT i.item_key AS item, c.chunk, c.input_hash AS hash FROM items i JOIN chunks c ON c.item_key = i.item_key
         WHERE i.workspace = ? AND i.id = ? ORDER BY c.ordinal LIMIT 1`,
        workspace,
        id,
      );
      if (!found) return;
      this.embeddings.putVector(named.id, found.chunk, found.hash, vector);
      this.embeddings.cancel(named.id, found.chunk);
      this.changes.record(found.item, 'embed', now);
    });
  }

  /** Runs writes in one immediate transaction: all of them or none. */
  write<T>(call: () => T): T {
    return this.connection.write(call);
  }

  /** Like {@link write}, but null at once where another process writes. */
  writeIfFree<T>(call: () => T): { result: T } | null {
    return this.connection.writeIfFree(call);
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

  /** Makes the index rows of an item anew; the item stays as it is. */
  reindex(key: ItemKey, chunks: readonly PreparedChunk[], o: { analyzerVersion: number; now: number }): void {
    this.write(() => this.#writer.reindex(key, chunks, o.analyzerVersion, o.now));
  }

  /** Queues what lacks a vector in a space that an embedder fills. */
  requeue(space: number): void {
    const state = this.spaces.all().find(({ id }) => id === space)?.state;
    if (state === 'active' || state === 'building') this.embeddings.backfill(space);
    this.vectors.drop(space);
  }

  setArchived(key: ItemKey, at: number | null, now: number): void {
    this.write(() => this.#writer.setArchived(key, at, now));
  }

  remove(key: ItemKey, now: number): void {
    this.write(() => this.#writer.remove(key, now));
  }

  /** Removes users, rooms, projects and sources that no item belongs to any more: their names say something too. */
  removeUnusedNames(): void {
    this.write(() => {
      this.connection.run('DELETE FROM scopes WHERE scope_id NOT IN (SELECT scope_id FROM items)');
      this.connection.run(
        'DELETE FROM sources WHERE source_id NOT IN (SELECT source_id FROM items WHERE source_id IS NOT NULL)',
      );
    });
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

  status(
    viewer: ResolvedViewer,
    now: number,
    space: number | null,
  ): Omit<Status, 'analyzerVersion' | 'embedder'> {
    return storeStatus(this.connection, this.scopes, viewer, now, space);
  }

  close(): void {
    this.connection.close();
  }
}

/** Hash of an item's title and text without case, width and spacing: equal for what a reader calls the same. */
export function contentHash(item: Pick<ItemRecord, 'title' | 'text'>): Buffer {
  const normal = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return hash('sha256', `${normal(item.title ?? '')}\0${normal(item.text)}`, 'buffer').subarray(0, 16);
}

/** A vector that cannot be compared with those of its space. */
export function wrongWidth(field: string, given: number, wanted: number, space: EmbeddingSpace): CorvidError {
  return new CorvidError(
    'invalid-argument',
    `${field} has ${given} numbers; ${space.provider}:${space.model} has ${wanted}.`,
    {
      hint: `Give ${wanted} numbers, or name the space that the vector is of.`,
    },
  );
}
