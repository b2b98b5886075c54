import { expect, it } from 'vitest';
import type { QueryPlan } from '../contracts/index.js';
import { createAnalyzer } from '../core/analysis/analyzer.js';
import { resolveViewer } from '../core/scope.js';
import { toRecord } from '../memory/item-fields.js';
import { readyItem, writeItem } from '../memory/write-item.js';
import { Store } from './store.js';

const kiln = [{ term: 'kiln', field: 'word', surface: 'kiln', prefix: false }] as const;
const plan: QueryPlan = {
  query: {
    text: 'kiln',
    terms: kiln,
    identifiers: [],
    phrases: [],
    dropped: 0,
    onlyStopWords: false,
    words: ['kiln'],
    condition: null,
  },
  viewer: resolveViewer(),
  filter: {
    kinds: [],
    tags: [],
    sources: [],
    visibilities: [],
    after: null,
    before: null,
    minLexical: null,
    minCosine: null,
  },
  include: [],
  asOf: null,
  now: 0,
  groupBy: 'item',
  streams: ['lexical'],
};

/** How many statements it takes to find one item of so many matching passages, and a second one, among 30 asked for. */
function statements(passages: number): number {
  const analyzer = createAnalyzer();
  const store = Store.open({
    path: ':memory:',
    create: true,
    journalMode: 'delete',
    busyTimeoutMs: 1000,
    now: 0,
  });
  try {
    const add = (id: string, text: string) =>
      writeItem(store, readyItem(toRecord({ id, text, kind: 'document' }, undefined, 0), analyzer), {
        viewer: resolveViewer(),
        viewerGiven: false,
        analyzerVersion: analyzer.version,
        now: 0,
        createdAtGiven: false,
      });
    store.write(() => {
      add('long', 'kiln\n'.padEnd(1500, ' ').repeat(passages));
      // Worse than every passage of the long one.
      add('short', `kiln ${'shelf '.repeat(100)}`);
    });
    const before = store.connection.executed;
    const found = store.lexical.search(kiln, plan, 30);
    const after = store.connection.executed;
    expect(found.map((candidate) => store.items.idOf(candidate.item))).toEqual(['long', 'short']);
    expect(store.lexical.size()).toBeGreaterThan(passages / 2);
    return after - before;
  } finally {
    store.close();
  }
}

it('one long document that holds all the best rows costs one more search, however long it is', () => {
  expect(statements(1500)).toBe(statements(150));
});
