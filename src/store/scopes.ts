import type { ResolvedViewer, Scope, Visibility } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';
import type { Connection } from './connection.js';

/** Scopes as small numbers, and which of them a viewer may see. */
export class Scopes {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The number of a scope; made when it is new. Call inside a write. */
  intern(scope: Scope): number {
    const key = [scope.workspace, scope.project, scope.visibility, scope.user, scope.room];
    const found = this.#connection.value<number>(
      `SELECT scope_id FROM scopes WHERE workspace = ? AND project = ? AND visibility = ? AND user = ? AND room = ?`,
      ...key,
    );
    if (found !== undefined) return found;
    return this.#connection.run(
      'INSERT INTO scopes (workspace, project, visibility, user, room) VALUES (?, ?, ?, ?, ?)',
      ...key,
    ).lastInsertRowid;
  }

  /**
   * The access predicate, once for all streams: the scopes that a viewer may see, ascending. Three look-ups in an
   * index, so that a million users cost nothing.
   */
  visible(viewer: ResolvedViewer, visibilities: readonly Visibility[] = []): number[] {
    const projects = [...new Set([...viewer.projects, defaults.scope.sharedProject])];
    const wanted = (visibility: Visibility) => visibilities.length === 0 || visibilities.includes(visibility);
    const list = (values: readonly string[]) => JSON.stringify(values);
    const inProjects = 'workspace = ? AND project IN (SELECT value FROM json_each(?))';
    const found: number[] = [];
    const add = (condition: string, ...params: string[]) =>
      found.push(
        ...this.#connection.values<number>(
          `SELECT scope_id FROM scopes WHERE ${inProjects} AND ${condition}`,
          viewer.workspace,
          list(projects),
          ...params,
        ),
      );
    if (wanted('global')) add("visibility = 'global'");
    if (wanted('personal') && viewer.user !== '') add("visibility = 'personal' AND user = ?", viewer.user);
    if (wanted('room') && viewer.rooms.length > 0) {
      add("visibility = 'room' AND room IN (SELECT value FROM json_each(?))", list(viewer.rooms));
    }
    return found.sort((a, b) => a - b);
  }
}
