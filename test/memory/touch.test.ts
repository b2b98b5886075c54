import { describe, expect, it } from 'vitest';
import { open } from '../../src/index.js';
import { addAll, ids, tempStore } from '../support/temp.js';

const DAY = 86_400_000;

async function withClock() {
  let now = Date.UTC(2031, 6, 19);
  const memory = await tempStore({ clock: { now: () => now } });
  return {
    memory,
    now: () => now,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

describe('the use of items (M04, S16)', () => {
  it('returned items count once, deferred, and are not updated by it; others do not count', async () => {
    const { memory, now, advance } = await withClock();
    await addAll(
      memory,
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`i${i}`, `kiln ${'ash '.repeat(i)}`])),
    );
    const start = now();
    advance(5000);
    const returned = await ids(memory, 'kiln', { limit: 5 });
    await memory.drain();
    for (const { id, accesses, lastAccess, updatedAt } of (await memory.list()).items) {
      expect([id, accesses, lastAccess, updatedAt]).toEqual(
        returned.includes(id) ? [id, 1, start + 5000, start] : [id, 0, null, start],
      );
    }
  });

  it('at most once a minute, and never with touch off, with explain, or by get and list', async () => {
    const { memory, advance } = await withClock();
    await memory.add({ id: 'a', text: 'the kiln' });
    const accesses = async () => {
      await memory.drain();
      return (await memory.get('a'))!.accesses;
    };
    await memory.search('kiln', { touch: false });
    await memory.search('kiln', { explain: true });
    await memory.list();
    expect(await accesses()).toBe(0);
    await memory.search('kiln');
    expect(await accesses()).toBe(1);
    advance(59_000);
    await memory.search('kiln');
    expect(await accesses()).toBe(1);
    advance(1_000);
    await memory.search('kiln');
    expect(await accesses()).toBe(2);
  });

  it('renews a memory: after a month the used one goes before its twin', async () => {
    const { memory, advance } = await withClock();
    await memory.add({ id: 'unused', text: 'the gate code is 4417' });
    await memory.add({ id: 'used', text: 'the gate code is 4417' });
    advance(20 * DAY);
    await memory.search('gate code', { filter: { tags: [] }, limit: 1 });
    await memory.drain();
    const first = (await memory.list()).items.find((item) => item.accesses > 0)!.id;
    advance(10 * DAY);
    expect((await ids(memory, 'gate code', { touch: false }))[0]).toBe(first);
  });

  it('200 uses of a weak match do not lift it over a strong one', async () => {
    const { memory, advance } = await withClock();
    await memory.add({ id: 'strong', text: 'the gate code of the gate is the gate code' });
    await memory.add({ id: 'weak', text: `the gate, ${'and many other things besides '.repeat(10)}` });
    for (let i = 0; i < 200; i++) {
      await memory.search('many other things');
      await memory.drain();
      advance(60_000);
    }
    expect((await memory.get('weak'))!.accesses).toBe(200);
    expect(await ids(memory, 'gate code', { touch: false })).toEqual(['strong', 'weak']);
  });

  it('a store that is open for reading only answers, and counts nothing', async () => {
    const first = await tempStore();
    await first.add({ id: 'a', text: 'the kiln' });
    const { path } = await first.status();
    await first.close();
    const memory = await open({ path, readOnly: true });
    expect(await ids(memory, 'kiln')).toEqual(['a']);
    await memory.drain();
    expect((await memory.get('a'))!.accesses).toBe(0);
    await memory.close();
  });
});

describe('the prior (S21)', () => {
  it('of two equal pages the pinned one goes first, and a fresh one before an old one; switched off, neither', async () => {
    const { memory, now } = await withClock();
    const text = 'how to fire the kiln';
    await memory.addMany([
      { id: 'old', kind: 'document', text, occurredAt: now() - 365 * DAY },
      { id: 'fresh', kind: 'document', text, occurredAt: now() - DAY },
      { id: 'pinned', kind: 'document', text, occurredAt: now() - 365 * DAY, pinned: true },
    ]);
    const { hits } = await memory.search('fire kiln', { explain: true });
    const factor = (id: string) => hits.find((hit) => hit.id === id)!.explanation!.prior.factor;
    expect(factor('pinned')).toBeCloseTo(1.08, 3);
    expect(factor('fresh')).toBeCloseTo(1.0977, 3);
    expect(factor('old')).toBeCloseTo(1, 3);
    expect(hits.map((hit) => hit.id)).toEqual(['fresh', 'pinned', 'old']);
    await memory.add({
      id: 'weak',
      kind: 'document',
      text: `kiln ${'and other things '.repeat(12)}`,
      pinned: true,
      occurredAt: now(),
    });
    const weak = await memory.search('fire kiln', { explain: true });
    expect(weak.hits.at(-1)!.id).toBe('weak');
    expect(weak.hits.at(-1)!.explanation!.prior.factor).toBe(1);
    await memory.remove('weak');
    const off = await memory.search('fire kiln', { explain: true, prior: 'off' });
    expect(off.hits.map((hit) => hit.explanation!.prior)).toEqual(Array(3).fill({ factor: 1, parts: [] }));
  });
});
