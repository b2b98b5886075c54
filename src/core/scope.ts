import type { ResolvedViewer, Scope, ScopeId, ScopeInput, Viewer } from '../contracts/index.js';
import { CorvidError } from '../errors.js';
import { defaults } from './defaults.js';
import { toId } from './ids.js';

/** Fills in the defaults of a scope and checks that its visibility has what it needs. */
export function resolveScope(input: ScopeInput = {}, base: ScopeInput = {}): Scope {
  const user = optionalId(input.user ?? base.user, 'scope.user');
  const room = optionalId(input.room ?? base.room, 'scope.room');
  const visibility =
    input.visibility ?? base.visibility ?? (user !== '' ? 'personal' : room !== '' ? 'room' : 'global');
  if (visibility === 'personal' && user === '') {
    throw new CorvidError('invalid-argument', 'scope.visibility is "personal" but scope.user is missing.', {
      hint: 'Name the user whose item it is.',
    });
  }
  if (visibility === 'room' && room === '') {
    throw new CorvidError('invalid-argument', 'scope.visibility is "room" but scope.room is missing.', {
      hint: 'Name the room that the item belongs to.',
    });
  }
  return {
    workspace: namedId(input.workspace ?? base.workspace, 'scope.workspace', defaults.scope.workspace),
    project: namedId(input.project ?? base.project, 'scope.project', defaults.scope.project),
    visibility,
    user,
    room,
  };
}

/** Fills in the defaults of a viewer. A missing or empty user, or room, opens nothing. */
export function resolveViewer(input: Viewer = {}, base: Viewer = {}): ResolvedViewer {
  const project = input.project ?? base.project ?? defaults.scope.project;
  const projects = (Array.isArray(project) ? project : [project]) as readonly ScopeId[];
  const rooms = input.rooms ?? base.rooms ?? [];
  return {
    workspace: namedId(input.workspace ?? base.workspace, 'viewer.workspace', defaults.scope.workspace),
    projects: distinct(projects.map((p) => namedId(p, 'viewer.project', defaults.scope.project))),
    // Null says nobody; only a viewer that says nothing is the store's own.
    user: optionalId(input.user === undefined ? base.user : input.user, 'viewer.user'),
    rooms: distinct(rooms.map((r) => toId(r, 'viewer.rooms'))).filter((r) => r !== ''),
  };
}

/**
 * The rule of access: same workspace, a project of the viewer's or the shared one, and visible to all, to
 * the viewer's user, or in one of the viewer's rooms. The store's SQL states the same; a test compares them.
 */
export function canSee(viewer: ResolvedViewer, scope: Scope): boolean {
  if (scope.workspace !== viewer.workspace) return false;
  if (scope.project !== defaults.scope.sharedProject && !viewer.projects.includes(scope.project))
    return false;
  switch (scope.visibility) {
    case 'global':
      return true;
    case 'personal':
      return viewer.user !== '' && scope.user === viewer.user;
    case 'room':
      return scope.room !== '' && viewer.rooms.includes(scope.room);
  }
}

function namedId(value: ScopeId | undefined, field: string, fallback: string): string {
  const id = value === undefined ? '' : toId(value, field);
  return id === '' ? fallback : id;
}

function optionalId(value: ScopeId | null | undefined, field: string): string {
  return value === undefined || value === null ? '' : toId(value, field);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
