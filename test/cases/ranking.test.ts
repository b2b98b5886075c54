import { describe, expect, it } from 'vitest';
import { addAll, ids, tempStore } from '../support/temp.js';

describe('R01 a stronger memory goes before a weaker one with the same words', () => {
  it('strong, mid, weak', async () => {
    const memory = await tempStore();
    await addAll(memory, {
      weak: { kind: 'memory', text: 'the blue valve', strength: 0.2, importance: 0.1 },
      mid: { kind: 'memory', text: 'the blue valve', strength: 1, importance: 0.5 },
      strong: { kind: 'memory', text: 'the blue valve', strength: 5, importance: 0.9 },
    });
    expect(await ids(memory, 'valve')).toEqual(['strong', 'mid', 'weak']);
  });
});

describe('R02 higher is better everywhere, and a perfect hit is never lost to its own commonness', () => {
  it('the denser text goes first and scores higher', async () => {
    const memory = await tempStore();
    await addAll(memory, {
      a: 'heron heron heron nest',
      b: `a heron was mentioned once in a long unrelated note about tax forms ${'and more of them '.repeat(30)}`,
    });
    const { hits } = await memory.search('heron', { explain: true });
    expect(hits.map((hit) => hit.id)).toEqual(['a', 'b']);
    expect(hits[0]!.score).toBeGreaterThanOrEqual(hits[1]!.score);
    const raw = hits.map((hit) => hit.explanation!.streams.lexical!.raw);
    expect(raw[0]).toBeGreaterThan(raw[1]!);
  });

  it('the only item of a store is found by its word', async () => {
    const memory = await tempStore();
    await addAll(memory, { only: 'a heron' });
    expect(await ids(memory, 'heron')).toEqual(['only']);
  });

  it('a word of most items still finds them all', async () => {
    const memory = await tempStore();
    await addAll(
      memory,
      Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [`i${i}`, i < 8 ? `heron ${i}` : `stork ${i}`]),
      ),
    );
    expect(await ids(memory, 'heron')).toHaveLength(8);
  });
});

describe('R04 the title weight falls on the title', () => {
  it('a title hit goes first', async () => {
    const memory = await tempStore();
    await addAll(memory, {
      a: { title: 'zinc', text: 'filler words' },
      b: { title: 'other', text: 'zinc zinc zinc' },
    });
    expect((await ids(memory, 'zinc'))[0]).toBe('a');
  });
});
