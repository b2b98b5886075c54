import { statSync } from 'node:fs';
import type { ItemKind, ResolvedViewer, Status } from '../contracts/index.js';
import type { Connection } from './connection.js';
import { FLAGS, KINDS } from './kinds.js';
import { SCHEMA_VERSION } from './migrations.js';
import type { Scopes } from './scopes.js';

interface CountRow {
  kind: number;
  hidden: number;
  expired: number;
  items: number;
}

/** Counts of what the viewer may see, and figures of the file. `space` null: the one being built, else the one that serves. */
export function storeStatus(
  connection: Connection,
  scopes: Scopes,
  viewer: ResolvedViewer,
  now: number,
  space: number | null,
): Omit<Status, 'analyzerVersion' | 'embedder'> {
  const visible = JSON.stringify(scopes.visible(viewer));
  const counts = connection.all<CountRow>(
    `SELECT v.kind, v.flags & ${FLAGS.archived | FLAGS.superseded} AS hidden, coalesce(v.expires_at <= ?, 0) AS expired, count(*) AS items
     FROM visibility v JOIN chunks c ON c.chunk = v.chunk AND c.ordinal = 0
     WHERE v.scope_id IN (SELECT value FROM json_each(?)) GROUP BY 1, 2, 3`,
    now,
    visible,
  );
  const items = { total: 0, active: 0, archived: 0, superseded: 0, expired: 0, byKind: emptyKinds() };
  for (const row of counts) {
    items.total += row.items;
    items.byKind[KINDS[row.kind]!] += row.items;
    if (row.hidden & FLAGS.archived) items.archived += row.items;
    else if (row.hidden & FLAGS.superseded) items.superseded += row.items;
    else if (row.expired) items.expired += row.items;
    else items.active += row.items;
  }
  const inScope = '(SELECT value FROM json_each(?))';
  return {
    path: connection.path,
    readOnly: connection.readOnly,
    schemaVersion: SCHEMA_VERSION,
    journalMode: connection.pragma<string>('journal_mode'),
    sizeBytes: sizeOf(connection.path),
    items,
    chunks:
      connection.value<number>(`SELECT count(*) FROM visibility WHERE scope_id IN ${inScope}`, visible) ?? 0,
    sources: connection.all(
      `SELECT o.name, count(*) AS items, max(i.updated_at) AS updatedAt FROM items i JOIN sources o ON o.source_id = i.source_id
       WHERE i.scope_id IN ${inScope} GROUP BY o.source_id ORDER BY o.name`,
      visible,
    ),
    embeddings: connection.get<Status['embeddings']>(
      `WITH filled AS (SELECT space_id FROM spaces WHERE state <> 'retired' AND space_id = coalesce(?, space_id)
         ORDER BY state = 'building' DESC, state = 'active' DESC, space_id LIMIT 1)
       SELECT
         (SELECT count(*) FROM embeddings e JOIN visibility v ON v.chunk = e.chunk
          WHERE e.space_id IN filled AND v.scope_id IN ${inScope}) AS embedded,
         (SELECT count(*) FROM embedding_jobs j JOIN visibility v ON v.chunk = j.chunk
          WHERE j.space_id IN filled AND v.scope_id IN ${inScope}) AS pending,
         (SELECT count(*) FROM embedding_jobs j JOIN visibility v ON v.chunk = j.chunk
          WHERE j.error IS NOT NULL AND j.space_id IN filled AND v.scope_id IN ${inScope}) AS failed,
         (SELECT j.error FROM embedding_jobs j JOIN visibility v ON v.chunk = j.chunk
          WHERE j.error IS NOT NULL AND j.space_id IN filled AND v.scope_id IN ${inScope}
          ORDER BY j.not_before DESC, j.chunk DESC LIMIT 1) AS lastError`,
      space,
      visible,
      visible,
      visible,
      visible,
    )!,
  };
}

function emptyKinds(): Record<ItemKind, number> {
  return { memory: 0, document: 0, message: 0, observation: 0, note: 0 };
}

/** Bytes of the file and its write-ahead log. */
function sizeOf(path: string): number {
  if (path === ':memory:') return 0;
  let bytes = 0;
  for (const file of [path, `${path}-wal`]) bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
