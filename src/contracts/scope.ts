/** Who may see an item: its user only, anyone in its room, or everyone in the workspace. */
export type Visibility = 'personal' | 'room' | 'global';

/** Where an item belongs. Absent user or room is the empty string. Names are compared byte by byte. */
export interface Scope {
  workspace: string;
  project: string;
  visibility: Visibility;
  user: string;
  room: string;
}

/**
 * Where a new item goes. Defaults: workspace and project `default`; visibility `personal` when a user is
 * given, else `room` when a room is given, else `global`. Ids may be strings, safe integers or bigints.
 */
export interface ScopeInput {
  workspace?: ScopeId | undefined;
  project?: ScopeId | undefined;
  visibility?: Visibility | undefined;
  user?: ScopeId | undefined;
  room?: ScopeId | undefined;
}

/** An id as callers hold it. Numbers must be safe integers; they become exact decimal strings. */
export type ScopeId = string | number | bigint;

/**
 * Who asks. No user: no personal item is visible. No rooms: no room item is visible.
 * Items of project `_global` are seen from every project of the workspace.
 */
export interface Viewer {
  workspace?: ScopeId | undefined;
  /** One project or several; default `default`. */
  project?: ScopeId | readonly ScopeId[] | undefined;
  user?: ScopeId | null | undefined;
  rooms?: readonly ScopeId[] | undefined;
}

/** A viewer with every default filled in and every id a string. An empty user sees nothing personal. */
export interface ResolvedViewer {
  workspace: string;
  projects: readonly string[];
  user: string;
  rooms: readonly string[];
}
