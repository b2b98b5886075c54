import type { Scope, SyncEntry } from '../contracts/index.js';
import type { Connection } from './connection.js';

/** Sources (ingested folders, feeds) by name, one set a workspace. */
export class Sources {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  find(workspace: string, name: string): number | undefined {
    return this.#connection.value<number>(
      'SELECT source_id FROM sources WHERE workspace = ? AND name = ?',
      workspace,
      name,
    );
  }

  /** The number of a source; made when it is new. Call inside a write. */
  intern(workspace: string, name: string): number {
    return (
      this.find(workspace, name) ??
      this.#connection.run('INSERT INTO sources (workspace, name) VALUES (?, ?)', workspace, name)
        .lastInsertRowid
    );
  }

  /** Files of a source (or the one at a path) in one scope, as the last sync left them: two users may ingest the same folder. */
  entries(scope: Scope, name: string, path?: string): SyncEntry[] {
    return this.#connection.all<SyncEntry>(
      `SELECT i.id, i.uri AS path, i.file_hash AS hash FROM sources o
         JOIN items i ON i.source_id = o.source_id
         JOIN scopes s ON s.scope_id = i.scope_id
       WHERE o.workspace = ? AND o.name = ? AND s.project = ? AND s.visibility = ? AND s.user = ? AND s.room = ? AND i.file_hash IS NOT NULL
         AND ${path === undefined ? 'i.uri IS NOT NULL' : 'i.uri = ?'}`,
      scope.workspace,
      name,
      scope.project,
      scope.visibility,
      scope.user,
      scope.room,
      ...(path === undefined ? [] : [path]),
    );
  }

  /** The item that a source has at a path in one scope. */
  itemAt(scope: Scope, name: string, path: string): string | undefined {
    return this.entries(scope, name, path)[0]?.id;
  }

  markSynced(source: number, now: number): void {
    this.#connection.run('UPDATE sources SET last_sync_at = ? WHERE source_id = ?', now, source);
  }
}
