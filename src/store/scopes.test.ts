import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canSee, resolveScope, resolveViewer } from '../core/scope.js';
import { Connection } from './connection.js';
import { openDatabase } from './open-database.js';
import { Scopes } from './scopes.js';

const name = fc.constantFrom('a', 'b', 'A', '%', "'", 'a\u0000', '');
const scopeInput = fc.record({
  workspace: fc.constantFrom('w1', 'w2'),
  project: fc.constantFrom('p1', 'p2', '_global'),
  visibility: fc.constantFrom('personal' as const, 'room' as const, 'global' as const),
  user: name,
  room: name,
});
const viewerInput = fc.record({
  workspace: fc.constantFrom('w1', 'w2'),
  project: fc.subarray(['p1', 'p2', '_global'], { minLength: 1 }),
  user: fc.option(name),
  rooms: fc.array(name, { maxLength: 3 }),
});

describe('scopes in the store', () => {
  it('property: the statement lets through exactly what the rule of access lets through', () => {
    fc.assert(
      fc.property(fc.array(scopeInput, { maxLength: 20 }), viewerInput, (inputs, who) => {
        const connection = new Connection(
          openDatabase({ path: ':memory:', create: true, journalMode: 'wal', busyTimeoutMs: 100, now: 0 }),
        );
        const scopes = new Scopes(connection);
        const viewer = resolveViewer(who);
        const stored = inputs
          .filter(
            (s) =>
              !(s.visibility === 'personal' && s.user === '') && !(s.visibility === 'room' && s.room === ''),
          )
          .map((input) => resolveScope(input))
          .map((scope) => ({ scope, id: scopes.intern(scope) }));
        const right = stored.filter(({ scope }) => canSee(viewer, scope)).map(({ id }) => id);
        expect(scopes.visible(viewer)).toEqual([...new Set(right)].sort((a, b) => a - b));
        const onlyRooms = stored.filter(({ scope }) => scope.visibility === 'room' && canSee(viewer, scope));
        expect(scopes.visible(viewer, ['room'])).toEqual(
          [...new Set(onlyRooms.map(({ id }) => id))].sort((a, b) => a - b),
        );
        connection.close();
      }),
      { numRuns: 60 },
    );
  });
});
