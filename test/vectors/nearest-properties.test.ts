import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitVector } from '../../src/core/vector/unit-vector.js';
import {
  type Include,
  type ItemKind,
  type Memory,
  open,
  type SearchOptions,
  type Viewer,
} from '../../src/index.js';
import '../support/property-seed.js';

/** What the test itself knows of an item. */
interface Known {
  id: string;
  vector: Float32Array;
  kind: ItemKind;
  user: string | null;
  room: string | null;
  project: string;
  tags: string[];
  source: string | null;
  occurredAt: number;
  expiresAt: number | null;
  archived: boolean;
}

const NOW = 1_000_000;
const space = { provider: 'test', model: 'given', dimensions: 6 };
const USERS = ['ann', 'bob'];
const ROOMS = ['hall'];
const PROJECTS = ['default', 'other'];
const KINDS: ItemKind[] = ['memory', 'document', 'note'];

const component = fc.integer({ min: -20, max: 20 });
const vector = fc
  .array(component, { minLength: 6, maxLength: 6 })
  .filter((values) => values.some((value) => value !== 0));
const itemInput = fc.record({
  vector,
  kind: fc.constantFrom(...KINDS),
  user: fc.option(fc.constantFrom(...USERS)),
  room: fc.option(fc.constantFrom(...ROOMS)),
  project: fc.constantFrom(...PROJECTS),
  tags: fc.subarray(['red', 'blue']),
  source: fc.option(fc.constantFrom('feed', 'folder')),
  occurredAt: fc.integer({ min: 0, max: 50 }),
  expiresAt: fc.option(fc.constantFrom(NOW - 1, NOW + 1)),
});
const viewerInput: fc.Arbitrary<Viewer> = fc.record({
  project: fc.constantFrom(...PROJECTS),
  user: fc.option(fc.constantFrom(...USERS), { nil: undefined }),
  rooms: fc.subarray(ROOMS),
});
const askInput = fc.record({
  vector,
  viewer: viewerInput,
  limit: fc.integer({ min: 1, max: 12 }),
  include: fc.subarray(['archived', 'expired'] as Include[]),
  filter: fc.record({
    kinds: fc.subarray(KINDS),
    tags: fc.subarray(['red', 'blue']),
    source: fc.subarray(['feed', 'folder']),
    after: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    before: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
  }),
});
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('add' as const), item: itemInput }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), at: fc.nat(), item: itemInput }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('archive' as const, 'remove' as const), at: fc.nat() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), ask: askInput }) },
);
type Ask = typeof askInput extends fc.Arbitrary<infer T> ? T : never;
type ItemInput = typeof itemInput extends fc.Arbitrary<infer T> ? T : never;

/** Adds or replaces; returns what the test has to remember. */
async function put(memory: Memory, id: string, input: ItemInput): Promise<Known> {
  const { vector, user, room, source, expiresAt, project, ...rest } = input;
  const scope = { project, ...(user ? { user } : {}), ...(room ? { room } : {}) };
  await memory.add(
    {
      id,
      // Another text each time, so that a replaced item has other chunks.
      text: `item ${id} ${JSON.stringify(input)}`,
      scope,
      embedding: vector,
      space,
      ...(source ? { source } : {}),
      ...(expiresAt === null ? {} : { expiresAt }),
      ...rest,
    },
    { viewer: { project, user: user ?? undefined, rooms: ROOMS } },
  );
  return { ...input, id, vector: unitVector(vector)!, archived: false };
}

/** What must be found, by the rules alone. */
function expected(known: readonly Known[], ask: Ask): [id: string, cosine: number][] {
  const query = unitVector(ask.vector)!;
  const { viewer, filter, include } = ask;
  return known
    .filter((item) => item.project === viewer.project)
    .filter((item) =>
      item.user !== null
        ? item.user === viewer.user
        : item.room === null || (viewer.rooms ?? []).includes(item.room),
    )
    .filter((item) => include.includes('archived') || !item.archived)
    .filter((item) => include.includes('expired') || item.expiresAt === null || item.expiresAt > NOW)
    .filter((item) => filter.kinds.length === 0 || filter.kinds.includes(item.kind))
    .filter((item) => filter.tags.every((tag) => item.tags.includes(tag)))
    .filter(
      (item) => filter.source.length === 0 || (item.source !== null && filter.source.includes(item.source)),
    )
    .filter((item) => filter.after === undefined || item.occurredAt >= filter.after)
    .filter((item) => filter.before === undefined || item.occurredAt < filter.before)
    .map((item): [string, number, number] => [
      item.id,
      item.vector.reduce((sum, value, i) => sum + value * query[i]!, 0),
      item.occurredAt,
    ])
    .sort((a, b) => b[1] - a[1])
    .map(([id, cosine]) => [id, cosine]);
}

describe('the vector stream', () => {
  it('finds the nearest of what the viewer may see under every filter, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), async (steps) => {
        await using memory = await open(':memory:', { clock: { now: () => NOW } });
        const known = new Map<string, Known>();
        let next = 0;
        let last: Ask | null = null;
        for (const act of steps) {
          const ids = [...known.keys()];
          if (act.do === 'add') {
            const id = `i${next++}`;
            known.set(id, await put(memory, id, act.item));
          } else if (act.do === 'ask') {
            last = act.ask;
          } else if (ids.length > 0) {
            const id = ids[act.at % ids.length]!;
            const old = known.get(id)!;
            const viewer = { project: old.project, user: old.user ?? undefined, rooms: ROOMS };
            if (act.do === 'replace') {
              const same = { ...act.item, user: old.user, room: old.room, project: old.project };
              await memory.remove(id, { viewer });
              known.set(id, await put(memory, id, same));
            } else if (act.do === 'archive') {
              await memory.archive(id, { viewer });
              known.set(id, { ...old, archived: true });
            } else {
              await memory.remove(id, { viewer });
              known.delete(id);
            }
          }
          // The same question again after every change: what was remembered for it must not be.
          if (last) await compare(memory, [...known.values()], last);
        }
      }),
      { numRuns: 40 },
    );
  });
});

async function compare(memory: Memory, known: readonly Known[], ask: Ask): Promise<void> {
  const { vector, viewer, limit, include, filter } = ask;
  const options: SearchOptions = {
    queryVector: vector,
    space,
    streams: ['vector'],
    viewer,
    limit,
    include,
    filter,
    prior: 'off',
    explain: true,
  };
  const { hits, degraded } = await memory.search('item', options);
  const want = expected(known, ask);
  if (degraded.length > 0) {
    expect(want).toEqual([]);
    return;
  }
  const all = new Map(want);
  expect(hits).toHaveLength(Math.min(limit, want.length));
  for (const [i, hit] of hits.entries()) {
    expect(hit.explanation!.streams.vector!.raw).toBeCloseTo(all.get(hit.id)!, 5);
    // Equal cosines may stand in another order here; the place has the same value.
    expect(all.get(hit.id)!).toBeCloseTo(want[i]![1], 5);
  }
}
