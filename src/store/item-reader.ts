import type {
  ChunkKey,
  Item,
  ItemKey,
  ItemKind,
  ItemState,
  Json,
  ResolvedViewer,
  Scope,
  Visibility,
} from '../contracts/index.js';
import { canSee } from '../core/scope.js';
import type { Connection } from './connection.js';
import type { HeaderFields, ItemRecord } from './item-record.js';
import { buildRowFilter, type RowFilterInput } from './row-filter.js';
import type { Scopes } from './scopes.js';

interface StoredItem {
  item_key: number;
  id: string;
  workspace: string;
  project: string;
  visibility: Visibility;
  user: string;
  room: string;
  source: string | null;
  kind: ItemKind;
  importance: number;
  strength: number;
  pinned: number;
  created_at: number;
  updated_at: number;
  occurred_at: number | null;
  expires_at: number | null;
  archived_at: number | null;
  superseded_by: string | null;
  superseded_at: number | null;
  file_hash: string | null;
  uri: string | null;
  title: string | null;
  tags: string;
  header: string;
  meta: string;
  text: string;
}

interface UseRow {
  chunks: number;
  accesses: number;
  lastAccess: number;
}

/** One chunk with what a hit shows of it. */
export interface HydratedChunk {
  chunk: ChunkKey;
  item: ItemKey;
  id: string;
  kind: ItemKind;
  title: string | null;
  uri: string | null;
  /** The chunk's text. */
  text: string;
  ordinal: number;
  start: number;
  end: number;
  headingPath: string[];
  createdAt: number;
  occurredAt: number | null;
  scope: Scope;
}

interface HydratedRow extends Omit<StoredItem, 'text'> {
  chunk: number;
  ordinal: number;
  start_offset: number;
  end_offset: number;
  heading_path: string;
}

/** An item as stored, with the key for writes. */
export interface FoundItem {
  key: ItemKey;
  item: Item;
  record: ItemRecord;
}

const COLUMNS = `i.item_key, i.id, s.workspace, s.project, s.visibility, s.user, s.room, o.name AS source, i.kind,
  i.importance, i.strength, i.pinned, i.created_at, i.updated_at, i.occurred_at, i.expires_at, i.archived_at,
  i.superseded_by, i.superseded_at, i.file_hash, i.uri, i.title, i.tags, i.header, i.meta, i.text`;
const TABLES =
  'items i JOIN scopes s ON s.scope_id = i.scope_id LEFT JOIN sources o ON o.source_id = i.source_id';

/** Reads items for a viewer. What the viewer may not see is as if it were not there. */
export class ItemReader {
  readonly #connection: Connection;
  readonly #scopes: Scopes;

  constructor(connection: Connection, scopes: Scopes) {
    this.#connection = connection;
    this.#scopes = scopes;
  }

  /** The item, in whatever state, if the viewer may see it. */
  find(id: string, viewer: ResolvedViewer, now: number): FoundItem | null {
    const found = this.findAny(viewer.workspace, id, now);
    return found && canSee(viewer, found.item.scope) ? found : null;
  }

  /** The item whoever may see it: for writes that must know whether an id is taken. */
  findAny(workspace: string, id: string, now: number): FoundItem | null {
    const row = this.#connection.get<StoredItem>(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE i.workspace = ? AND i.id = ?`,
      workspace,
      id,
    );
    return row ? this.#found(row, now) : null;
  }

  /** A page of items, newest first; `after` is the last position of the page before. */
  list(filter: RowFilterInput, limit: number, after: { createdAt: number; key: number } | null): FoundItem[] {
    const condition = buildRowFilter(this.#connection, this.#scopes, filter);
    if (condition.empty) return [];
    // The visibility row of the first chunk stands for the item: every item has one.
    const rows = this.#connection.all<StoredItem>(
      `SELECT ${COLUMNS} FROM ${TABLES}
       JOIN chunks c ON c.item_key = i.item_key AND c.ordinal = 0
       JOIN visibility v ON v.chunk = c.chunk
       WHERE ${condition.sql} ${after ? 'AND (i.created_at, i.item_key) < (?, ?)' : ''}
       ORDER BY i.created_at DESC, i.item_key DESC LIMIT ?`,
      ...condition.params,
      ...(after ? [after.createdAt, after.key] : []),
      limit,
    );
    return rows.map((row) => this.#found(row, filter.now));
  }

  /** Chunks with their item's fields, in the order asked. */
  hydrate(chunks: readonly ChunkKey[]): HydratedChunk[] {
    const rows = this.#connection.all<HydratedRow>(
      `SELECT c.chunk, c.item_key, i.id, s.workspace, s.project, s.visibility, s.user, s.room, i.kind, i.title, i.uri,
         i.created_at, i.occurred_at, c.ordinal, c.start_offset, c.end_offset, c.heading_path
       FROM json_each(?) AS wanted CROSS JOIN chunks c ON c.chunk = wanted.value
         CROSS JOIN items i ON i.item_key = c.item_key CROSS JOIN scopes s ON s.scope_id = i.scope_id`,
      JSON.stringify(chunks),
    );
    const passages = this.#passages(rows);
    return rows.map((row) => ({
      chunk: row.chunk as ChunkKey,
      item: row.item_key as ItemKey,
      id: row.id,
      kind: row.kind,
      title: row.title,
      uri: row.uri,
      text: passages.get(row.chunk) ?? '',
      ordinal: row.ordinal,
      start: row.start_offset,
      end: row.end_offset,
      headingPath: JSON.parse(row.heading_path) as string[],
      createdAt: row.created_at,
      occurredAt: row.occurred_at,
      scope: scopeOf(row),
    }));
  }

  /** Texts of chunks. SQLite reads a text as a whole to give a part of it, so that each item's is asked for once. */
  #passages(rows: readonly { chunk: number; item_key: number }[]): Map<number, string> {
    const chunksOf = new Map<number, number[]>();
    for (const { chunk, item_key } of rows) {
      const known = chunksOf.get(item_key);
      if (known) known.push(chunk);
      else chunksOf.set(item_key, [chunk]);
    }
    const passages = new Map<number, string>();
    for (const [item, chunks] of chunksOf) {
      // A subquery that depends on no row is run once; a joined column would be read anew for each.
      const parts = this.#connection.rows<[chunk: number, bytes: Buffer | null]>(
        `SELECT c.chunk, substr((SELECT CAST(text AS BLOB) FROM items WHERE item_key = ?), c.byte_start + 1, c.byte_length)
         FROM json_each(?) AS wanted CROSS JOIN chunks c ON c.chunk = wanted.value`,
        item,
        JSON.stringify(chunks),
      );
      // Null for an empty text.
      for (const [chunk, bytes] of parts) passages.set(chunk, bytes?.toString('utf8') ?? '');
    }
    return passages;
  }

  /** An item's record without its text, which may be long. */
  recordOf(key: ItemKey): ItemRecord | null {
    const row = this.#connection.get<StoredItem>(
      `SELECT ${COLUMNS.replace('i.text', "'' AS text")} FROM ${TABLES} WHERE i.item_key = ?`,
      key,
    );
    return row ? this.#found(row, 0).record : null;
  }

  /** What is kept of an item, its text included. */
  wholeRecordOf(key: ItemKey): ItemRecord | null {
    const row = this.#connection.get<StoredItem>(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE i.item_key = ?`,
      key,
    );
    return row ? this.#found(row, 0).record : null;
  }

  /** The id of an item, for breaking ties. */
  idOf(key: ItemKey): string {
    return this.#connection.value<string>('SELECT id FROM items WHERE item_key = ?', key) ?? '';
  }

  #found(row: StoredItem, now: number): FoundItem {
    const use = this.#connection.get<UseRow>(
      'SELECT count(*) AS chunks, max(accesses) AS accesses, max(last_access) AS lastAccess FROM visibility WHERE item_key = ?',
      row.item_key,
    ) ?? { chunks: 0, accesses: 0, lastAccess: row.created_at };
    const header = JSON.parse(row.header) as HeaderFields;
    const shared = {
      id: row.id,
      kind: row.kind,
      title: row.title,
      text: row.text,
      uri: row.uri,
      source: row.source,
      scope: scopeOf(row),
      importance: row.importance,
      strength: row.strength,
      createdAt: row.created_at,
      occurredAt: row.occurred_at,
      expiresAt: row.expires_at,
      pinned: row.pinned === 1,
      tags: JSON.parse(row.tags) as string[],
      meta: JSON.parse(row.meta) as { [key: string]: Json },
    };
    return {
      key: row.item_key as ItemKey,
      record: { ...shared, header, fileHash: row.file_hash },
      item: {
        ...shared,
        ...header,
        state: stateOf(row, now),
        accesses: use.accesses,
        lastAccess: use.accesses > 0 ? use.lastAccess : null,
        updatedAt: row.updated_at,
        archivedAt: row.archived_at,
        supersededBy: row.superseded_by,
        supersededAt: row.superseded_at,
        chunks: use.chunks,
      },
    };
  }
}

function stateOf(row: StoredItem, now: number): ItemState {
  if (row.archived_at !== null) return 'archived';
  if (row.superseded_at !== null) return 'superseded';
  if (row.expires_at !== null && row.expires_at <= now) return 'expired';
  return 'active';
}

function scopeOf(row: Omit<StoredItem, 'text'>): Scope {
  return {
    workspace: row.workspace,
    project: row.project,
    visibility: row.visibility,
    user: row.user,
    room: row.room,
  };
}
