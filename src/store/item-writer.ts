import type { ChunkKey, ItemKind, LexicalIndex } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import type { ChangeFeed, ChangeOp } from './change-feed.js';
import type { Connection } from './connection.js';
import type { ItemRecord, PreparedChunk } from './item-record.js';
import { FLAGS, kindCode } from './kinds.js';
import type { Scopes } from './scopes.js';
import type { Sources } from './sources.js';

interface ChunkRow {
  chunk: number;
  input_hash: Buffer;
}

/**
 * Writes items with everything that describes them: chunks, index rows, visibility, tags, change feed. Every method
 * is meant to run inside one write transaction.
 */
export class ItemWriter {
  readonly #connection: Connection;
  readonly #scopes: Scopes;
  readonly #sources: Sources;
  readonly #lexical: LexicalIndex;
  readonly #feed: ChangeFeed;
  readonly #forgetVectors: (chunks: readonly number[]) => void;
  readonly #queue: (chunk: number, inputHash: Buffer) => void;

  constructor(
    connection: Connection,
    scopes: Scopes,
    sources: Sources,
    lexical: LexicalIndex,
    feed: ChangeFeed,
    /** Called before chunks are deleted, inside the transaction, for what is derived of their vectors. */
    forgetVectors: (chunks: readonly number[]) => void,
    /** Called for every new chunk, inside its transaction. */
    queue: (chunk: number, inputHash: Buffer) => void,
  ) {
    this.#forgetVectors = forgetVectors;
    this.#queue = queue;
    this.#connection = connection;
    this.#scopes = scopes;
    this.#sources = sources;
    this.#lexical = lexical;
    this.#feed = feed;
  }

  insert(
    item: ItemRecord,
    chunks: readonly PreparedChunk[],
    contentHash: Buffer,
    analyzerVersion: number,
    now: number,
  ): void {
    const row = this.#columns(item, contentHash);
    const key = this.#connection.run(
      `INSERT INTO items (workspace, id, scope_id, source_id, kind, importance, strength, pinned, created_at, updated_at,
         occurred_at, expires_at, content_hash, file_hash, uri, title, tags, header, meta, text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      item.scope.workspace,
      item.id,
      row.scopeId,
      row.sourceId,
      ...row.values,
      item.createdAt,
      now,
      ...row.rest,
    ).lastInsertRowid;
    this.#writeTags(key, item.tags);
    this.#writeChunks(key, chunks, analyzerVersion);
    this.#writeVisibility(key, true);
    this.#feed.record(key, 'put', now);
  }

  /** Replaces the content of a stored item; its key, accesses and the chunks that stayed the same are kept. */
  replace(
    key: number,
    item: ItemRecord,
    chunks: readonly PreparedChunk[],
    contentHash: Buffer,
    analyzerVersion: number,
    now: number,
  ): void {
    const row = this.#columns(item, contentHash);
    this.#connection.run(
      `UPDATE items SET scope_id = ?, source_id = ?, kind = ?, importance = ?, strength = ?, pinned = ?, created_at = ?,
         updated_at = ?, occurred_at = ?, expires_at = ?, content_hash = ?, file_hash = ?, uri = ?, title = ?, tags = ?,
         header = ?, meta = ?, text = ?
       WHERE item_key = ?`,
      row.scopeId,
      row.sourceId,
      ...row.values,
      item.createdAt,
      now,
      ...row.rest,
      key,
    );
    this.#connection.run('DELETE FROM item_tags WHERE item_key = ?', key);
    this.#writeTags(key, item.tags);
    this.#writeChunks(key, chunks, analyzerVersion);
    this.#writeVisibility(key);
    this.#feed.record(key, 'put', now);
  }

  /** Writes chunks, index rows and narrow rows of a stored item anew. */
  reindex(key: number, chunks: readonly PreparedChunk[], analyzerVersion: number, now: number): void {
    this.#writeChunks(key, chunks, analyzerVersion);
    this.#writeVisibility(key);
    this.#feed.record(key, 'put', now);
  }

  /** Removes an item and all that hangs on it. */
  remove(key: number, now: number): void {
    const chunks = this.#connection.values<number>('SELECT chunk FROM chunks WHERE item_key = ?', key);
    for (const chunk of chunks) this.#lexical.remove(chunk as ChunkKey);
    this.#forgetVectors(chunks);
    this.#connection.run('DELETE FROM items WHERE item_key = ?', key);
    this.#feed.record(key, 'remove', now);
  }

  /** Marks an item archived, or (null) brings it back. */
  setArchived(key: number, at: number | null, now: number): void {
    this.#connection.run('UPDATE items SET archived_at = ?, updated_at = ? WHERE item_key = ?', at, now, key);
    this.#refresh(key, 'state', now);
  }

  /** A new path for an item whose content is the same: chunks keep their keys, so no vector is lost. */
  #refresh(key: number, op: ChangeOp, now: number): void {
    this.#writeVisibility(key);
    this.#feed.record(key, op, now);
  }

  #columns(item: ItemRecord, contentHash: Buffer) {
    return {
      scopeId: this.#scopes.intern(item.scope),
      sourceId: item.source === null ? null : this.#sources.intern(item.scope.workspace, item.source),
      values: [item.kind, item.importance, item.strength, item.pinned ? 1 : 0],
      rest: [
        item.occurredAt,
        item.expiresAt,
        contentHash,
        item.fileHash,
        item.uri,
        item.title,
        JSON.stringify(item.tags),
        JSON.stringify(item.header),
        JSON.stringify(item.meta),
        item.text,
      ],
    };
  }

  #writeTags(key: number, tags: readonly string[]): void {
    for (const tag of new Set(tags)) {
      this.#connection.run('INSERT INTO item_tags (tag, item_key) VALUES (?, ?)', tag, key);
    }
  }

  /** Chunks whose embedded text is the same keep their key, and with it their vectors; the others are made anew. */
  #writeChunks(key: number, chunks: readonly PreparedChunk[], analyzerVersion: number): void {
    const old = new Map<string, number[]>();
    const rows = this.#connection.all<ChunkRow>(
      'SELECT chunk, input_hash FROM chunks WHERE item_key = ? ORDER BY ordinal',
      key,
    );
    for (const row of rows) {
      const hash = row.input_hash.toString('base64');
      const same = old.get(hash);
      if (same) same.push(row.chunk);
      else old.set(hash, [row.chunk]);
    }
    const kept = new Map<PreparedChunk, number>();
    for (const chunk of chunks) {
      const match = old.get(chunk.inputHash.toString('base64'))?.shift();
      if (match !== undefined) kept.set(chunk, match);
    }
    const unused = [...old.values()].flat();
    this.#forgetVectors(unused);
    for (const gone of unused) {
      this.#lexical.remove(gone as ChunkKey);
      this.#connection.run('DELETE FROM chunks WHERE chunk = ?', gone);
    }
    // Out of the way first: an ordinal may pass from one kept chunk to another.
    if (kept.size > 0)
      this.#connection.run('UPDATE chunks SET ordinal = -1 - ordinal WHERE item_key = ?', key);
    for (const chunk of chunks) {
      const values = [
        chunk.ordinal,
        chunk.start,
        chunk.end,
        chunk.byteStart,
        chunk.byteLength,
        JSON.stringify(chunk.headingPath),
      ];
      let chunkKey = kept.get(chunk);
      if (chunkKey === undefined) {
        chunkKey = this.#connection.run(
          `INSERT INTO chunks (ordinal, start_offset, end_offset, byte_start, byte_length, heading_path, item_key,
             input_hash, analyzer_version)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          ...values,
          key,
          chunk.inputHash,
          analyzerVersion,
        ).lastInsertRowid;
      } else {
        this.#connection.run(
          `UPDATE chunks SET ordinal = ?, start_offset = ?, end_offset = ?, byte_start = ?, byte_length = ?,
               heading_path = ?, analyzer_version = ?
           WHERE chunk = ?`,
          ...values,
          analyzerVersion,
          chunkKey,
        );
      }
      if (!kept.has(chunk)) this.#queue(chunkKey, chunk.inputHash);
      this.#lexical.put(chunkKey as ChunkKey, chunk.row, !kept.has(chunk));
    }
  }

  /**
   * Derives the narrow rows from the item; how often and when it was used is kept. One statement a row: a statement
   * that writes several rows opens a savepoint, at which FTS5 writes what it has collected to disk, a segment each.
   */
  #writeVisibility(key: number, isNew = false): void {
    const used = isNew
      ? undefined
      : this.#connection.get<{ accesses: number | null; last: number | null }>(
          'SELECT max(accesses) AS accesses, max(last_access) AS last FROM visibility WHERE item_key = ?',
          key,
        );
    const item = this.#connection.get<NarrowRow>(
      `SELECT scope_id, archived_at, superseded_at, expires_at, occurred_at, created_at, kind, source_id, strength, importance,
         pinned
       FROM items WHERE item_key = ?`,
      key,
    )!;
    const neutral =
      item.kind !== 'memory' &&
      item.strength === defaults.item.strength &&
      item.importance === defaults.item.importance;
    const values = [
      item.scope_id,
      (item.archived_at === null ? 0 : FLAGS.archived) |
        (item.superseded_at === null ? 0 : FLAGS.superseded) |
        (item.pinned === 1 ? FLAGS.pinned : 0),
      item.expires_at,
      item.occurred_at ?? item.created_at,
      kindCode(item.kind),
      item.source_id,
      neutral ? 1 : 0,
      item.strength,
      item.importance,
      used?.accesses ?? 0,
      used?.last ?? item.created_at,
    ];
    for (const chunk of this.#connection.values<number>('SELECT chunk FROM chunks WHERE item_key = ?', key)) {
      this.#connection.run(
        `INSERT INTO visibility (chunk, item_key, scope_id, flags, expires_at, authored_at, kind, source_id, neutral,
           strength, importance, accesses, last_access)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (chunk) DO UPDATE SET scope_id = excluded.scope_id, flags = excluded.flags,
           expires_at = excluded.expires_at, authored_at = excluded.authored_at, kind = excluded.kind,
           source_id = excluded.source_id, neutral = excluded.neutral, strength = excluded.strength,
           importance = excluded.importance`,
        chunk,
        key,
        ...values,
      );
    }
  }
}

/** What of an item every stream must know. */
interface NarrowRow {
  scope_id: number;
  archived_at: number | null;
  superseded_at: number | null;
  expires_at: number | null;
  occurred_at: number | null;
  created_at: number;
  kind: ItemKind;
  source_id: number | null;
  strength: number;
  importance: number;
  pinned: number;
}
