import { describe, expect, it } from 'vitest';
import type { QueryPlan } from '../contracts/index.js';
import { createAnalyzer } from '../core/analysis/analyzer.js';
import { resolveViewer } from '../core/scope.js';
import { CorvidError } from '../errors.js';
import { toRecord } from '../memory/item-fields.js';
import { readyItem, writeItem } from '../memory/write-item.js';
import { Store } from '../store/store.js';
import type { BatchEmbedder, Embedded } from './batch-embedder.js';
import { EmbeddingService } from './embedding-service.js';

const analyzer = createAnalyzer();

/** Two dimensions: how much a text speaks of kilns, and how much of boats. Refuses texts that say so. */
function kilnsAndBoats(model = 'two'): BatchEmbedder & { texts: string[]; down: boolean } {
  const texts: string[] = [];
  const embedder = {
    id: `test:${model}`,
    space: { provider: 'test', model },
    maxBatch: 4,
    texts,
    down: false,
    async embedEach(given: readonly string[]): Promise<Embedded[]> {
      await new Promise((resolve) => setImmediate(resolve));
      return given.map((text): Embedded => {
        if (embedder.down || text.includes('refused')) {
          return { ok: false, error: new CorvidError('io', 'The embedder is down.') };
        }
        texts.push(text);
        const vector = Float32Array.of(text.split('kiln').length - 0.9, text.split('boat').length - 0.9);
        const length = Math.hypot(...vector);
        return { ok: true, vector: vector.map((x) => x / length) };
      });
    },
  };
  return embedder;
}

function setUp(path = ':memory:') {
  let now = 1_000_000;
  const clock = { now: () => now };
  const store = Store.open({ path, create: true, journalMode: 'wal', busyTimeoutMs: 1000, now });
  const add = (id: string, text: string) =>
    store.write(() =>
      writeItem(store, readyItem(toRecord({ id, text, kind: 'document' }, undefined, now), analyzer), {
        viewer: resolveViewer(),
        viewerGiven: false,
        analyzerVersion: analyzer.version,
        now,
        createdAtGiven: false,
      }),
    );
  return { store, clock, add, advance: (ms: number) => (now += ms) };
}

const plan = {
  viewer: resolveViewer(),
  include: [],
  asOf: null,
  now: 2_000_000,
  groupBy: 'item',
  query: { condition: null },
  streams: ['vector'],
};
const filter = {
  kinds: [],
  tags: [],
  sources: [],
  visibilities: [],
  after: null,
  before: null,
  minLexical: null,
};

function nearest(store: Store, vector: number[]): string[] {
  const space = store.spaces.byState('active')!;
  return store.vectors
    .search(space.id, Float32Array.from(vector), { ...plan, filter } as unknown as QueryPlan, 10)
    .map((candidate) => store.items.idOf(candidate.item));
}

describe('the embedding service', () => {
  it('embeds what is there at the start and what comes later, each text once', async () => {
    const { store, clock, add } = setUp();
    add('early', 'a kiln');
    const embedder = kilnsAndBoats();
    const service = new EmbeddingService(store, embedder, clock);
    service.start();
    for (let i = 0; i < 20; i++) add(`late${i}`, `boat number ${i}`);
    service.wake();
    await service.drain();
    expect(embedder.texts.sort()).toEqual(
      ['a kiln', ...Array.from({ length: 20 }, (_, i) => `boat number ${i}`)].sort(),
    );
    expect(nearest(store, [1, 0])[0]).toBe('early');
    add('late3', 'boat number 3');
    service.wake();
    await service.drain();
    expect(embedder.texts).toHaveLength(21);
    await service.close();
    store.close();
  });

  it('a changed text gets a new vector, an archived one keeps its own, a removed one loses it', async () => {
    const { store, clock, add } = setUp();
    const embedder = kilnsAndBoats();
    const service = new EmbeddingService(store, embedder, clock);
    service.start();
    add('a', 'a kiln');
    add('b', 'a boat');
    service.wake();
    await service.drain();
    expect(nearest(store, [1, 0])).toEqual(['a', 'b']);
    add('b', 'a kiln and a kiln');
    service.wake();
    await service.drain();
    expect(nearest(store, [1, 0])).toEqual(['b', 'a']);
    const b = store.items.find('b', resolveViewer(), 0)!;
    store.setArchived(b.key, 1, 1);
    expect(nearest(store, [1, 0])).toEqual(['a']);
    store.setArchived(b.key, null, 2);
    expect(nearest(store, [1, 0])).toEqual(['b', 'a']);
    store.remove(b.key, 3);
    expect(nearest(store, [1, 0])).toEqual(['a']);
    expect(store.embeddings.counts(store.spaces.byState('active')!.id)).toEqual({
      embedded: 1,
      pending: 0,
      failed: 0,
      total: 1,
    });
    await service.close();
    store.close();
  });

  it('a text that fails waits with its reason, and the others are embedded (V11, V13)', async () => {
    const { store, clock, add, advance } = setUp();
    const embedder = kilnsAndBoats();
    const service = new EmbeddingService(store, embedder, clock);
    service.start();
    add('good', 'a kiln');
    embedder.down = true;
    service.wake();
    await service.drain();
    const { id } = store.spaces.byState('active')!;
    expect(store.embeddings.counts(id)).toEqual({ embedded: 0, pending: 1, failed: 1, total: 1 });
    embedder.down = false;
    add('bad', 'this one is refused');
    advance(5000);
    service.wake();
    await service.drain();
    expect(store.embeddings.counts(id)).toEqual({ embedded: 1, pending: 1, failed: 1, total: 2 });
    expect(await service.embed()).toMatchObject({ embedded: 1, pending: 1 });
    await service.close();
    store.close();
  });

  it('vectors of another model are left alone until reembed, which then switches at once (V02, V03)', async () => {
    const { store, clock, add } = setUp();
    const first = new EmbeddingService(store, kilnsAndBoats('one'), clock);
    first.start();
    add('a', 'a kiln');
    first.wake();
    await first.drain();
    await first.close();
    const other = kilnsAndBoats('other');
    const second = new EmbeddingService(store, other, clock);
    second.start();
    await second.drain();
    expect(other.texts).toEqual([]);
    expect(second.servingSpace).toBeNull();
    await expect(second.embed()).rejects.toMatchObject({ code: 'stale-vectors' });
    expect(await second.reembed()).toMatchObject({ embedded: 1, pending: 0 });
    expect(second.servingSpace?.model).toBe('other');
    expect(store.spaces.all()).toHaveLength(1);
    expect(nearest(store, [1, 0])).toEqual(['a']);
    await second.close();
    store.close();
  });

  it('a worker that is stopped in the middle gives its jobs back', async () => {
    const { store, clock, add } = setUp();
    const embedder = kilnsAndBoats();
    const service = new EmbeddingService(store, embedder, clock);
    service.start();
    for (let i = 0; i < 50; i++) add(`i${i}`, `boat number ${i}`);
    service.wake();
    await new Promise((resolve) => setImmediate(resolve));
    await service.close();
    const again = new EmbeddingService(store, embedder, clock);
    again.start();
    await again.drain();
    expect(store.embeddings.counts(store.spaces.byState('active')!.id)).toMatchObject({
      embedded: 50,
      pending: 0,
    });
    expect(new Set(embedder.texts).size).toBe(50);
    await again.close();
    store.close();
  });
});
